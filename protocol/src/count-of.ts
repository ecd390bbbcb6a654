/** `1 line`, `2 lines`. `many` is the plural if it is not formed with an s. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
