/**
 * Compares two contracts and describes each incompatible change in a sentence. Additions are compatible: clients ignore
 * members, values and operations that they do not know (Reading 1.13), and can omit new optional members.
 */
type Node = Readonly<Record<string, unknown>>

/**
 * The incompatible changes of `current` against `released`; empty if every client of the released contract continues to
 * work.
 */
export function compareContracts(released: Node, current: Node): string[] {
  const found: string[] = []
  const before = at(released, 'paths')
  const after = at(current, 'paths')
  for (const [path, item] of Object.entries(before)) {
    for (const [method, operation] of Object.entries(item as Node)) {
      const where = `${method.toUpperCase()} ${path}`
      const now = at(at(after, path), method)
      if (Object.keys(now).length === 0) found.push(`${where} is gone`)
      else compareOperation(where, operation as Node, now, { released, current, found })
    }
  }
  return [...new Set(found)]
}

interface Comparison {
  readonly released: Node
  readonly current: Node
  readonly found: string[]
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function at(node: Node, name: string): Node {
  const value = node[name]
  return isNode(value) ? value : {}
}

function listAt(node: Node, name: string): readonly unknown[] {
  const value = node[name]
  return Array.isArray(value) ? value : []
}

function compareOperation(where: string, before: Node, now: Node, comparison: Comparison): void {
  const { found } = comparison
  compareScopes(where, before, now, found)
  compareParameters(where, before, now, comparison)
  const bodies = at(at(before, 'requestBody'), 'content')
  for (const [type, media] of Object.entries(bodies)) {
    const nowMedia = at(at(at(now, 'requestBody'), 'content'), type)
    if (nowMedia.schema === undefined) found.push(`${where} no longer takes ${type}`)
    else
      compareShapes(
        `${where} request`,
        at(media as Node, 'schema'),
        at(nowMedia, 'schema'),
        'request',
        comparison,
      )
  }
  const answers = at(at(at(before, 'responses'), '200'), 'content')
  for (const [type, media] of Object.entries(answers)) {
    const nowMedia = at(at(at(at(now, 'responses'), '200'), 'content'), type)
    if (nowMedia.schema === undefined) found.push(`${where} no longer answers ${type}`)
    else
      compareShapes(
        `${where} answer`,
        at(media as Node, 'schema'),
        at(nowMedia, 'schema'),
        'answer',
        comparison,
      )
  }
}

/** Every way of authentication that was sufficient must still be sufficient. */
function compareScopes(where: string, before: Node, now: Node, found: string[]): void {
  const texts = (node: Node) => listAt(node, 'security').map((each) => JSON.stringify(each))
  const allowed = new Set(texts(now))
  for (const way of texts(before)) if (!allowed.has(way)) found.push(`${where} no longer admits ${way}`)
}

function compareParameters(where: string, before: Node, now: Node, comparison: Comparison): void {
  const { released, current, found } = comparison
  const named = (operation: Node, contract: Node) =>
    new Map(
      listAt(operation, 'parameters').map((parameter) => {
        const whole = follow(parameter as Node, contract)
        return [`${whole.in} ${String(whole.name)}`, whole]
      }),
    )
  const had = named(before, released)
  const has = named(now, current)
  for (const [name, parameter] of has) {
    if (parameter.required === true && had.get(name)?.required !== true)
      found.push(`${where} requires the parameter ${name}`)
  }
  for (const [name, parameter] of had) {
    const same = has.get(name)
    if (same === undefined) found.push(`${where} no longer knows the parameter ${name}`)
    else compareShapes(`${where} ${name}`, at(parameter, 'schema'), at(same, 'schema'), 'request', comparison)
  }
}

/** Resolves a reference. */
function follow(node: Node, contract: Node): Node {
  const { $ref } = node
  if (typeof $ref !== 'string') return node
  const found = $ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<Node>((place, name) => at(place, name), contract)
  return follow(found, contract)
}

/** The pairs of components that were compared, so that recursive shapes terminate. */
const compared = new WeakMap<Comparison, Set<string>>()

function compareShapes(
  where: string,
  before: Node,
  now: Node,
  side: 'request' | 'answer',
  comparison: Comparison,
): void {
  const pair = `${side} ${before.$ref} ${now.$ref}`
  const seen = compared.get(comparison) ?? new Set<string>()
  compared.set(comparison, seen)
  if (before.$ref !== undefined && now.$ref !== undefined) {
    if (seen.has(pair)) return
    seen.add(pair)
  }
  const old = follow(before, comparison.released)
  const fresh = follow(now, comparison.current)
  compareTypes(where, old, fresh, side, comparison.found)
  compareMembers(where, old, fresh, side, comparison)
  if (isNode(old.items)) compareShapes(`${where}[]`, old.items, at(fresh, 'items'), side, comparison)
  for (const word of ['anyOf', 'oneOf'] as const) {
    const branches = listAt(fresh, word)
    listAt(old, word).forEach((branch, index) => {
      if (branches[index] !== undefined)
        compareShapes(where, branch as Node, branches[index] as Node, side, comparison)
    })
    const fewer = listAt(old, word).length > branches.length
    if (fewer && side === 'request') found(comparison, `${where} takes fewer shapes`)
  }
}

function found(comparison: Comparison, sentence: string): void {
  comparison.found.push(sentence)
}

function typesOf(shape: Node): Set<unknown> | undefined {
  return shape.type === undefined ? undefined : new Set(Array.isArray(shape.type) ? shape.type : [shape.type])
}

/** A request must accept every type that it accepted; a response must have only the types that it had. */
function compareTypes(
  where: string,
  old: Node,
  fresh: Node,
  side: 'request' | 'answer',
  changes: string[],
): void {
  const was = typesOf(old)
  const is = typesOf(fresh)
  const [needed, given] = side === 'request' ? [was, is] : [is, was]
  if (given !== undefined && needed === undefined && Object.keys(old).length > 0 && side === 'request')
    changes.push(`${where} takes ${[...given].join(' or ')} only`)
  if (needed !== undefined && given !== undefined) {
    for (const type of needed) {
      const covered = given.has(type) || (type === 'integer' && given.has('number'))
      if (!covered)
        changes.push(`${where} was ${[...(was ?? [])].join(' or ')} and is ${[...(is ?? [])].join(' or ')}`)
    }
  }
  if (side === 'answer') return
  const narrower = [
    ['maxLength', (a: number, b: number) => b < a],
    ['maxItems', (a: number, b: number) => b < a],
    ['maximum', (a: number, b: number) => b < a],
    ['minLength', (a: number, b: number) => b > a],
    ['minItems', (a: number, b: number) => b > a],
    ['minimum', (a: number, b: number) => b > a],
  ] as const
  for (const [word, isNarrower] of narrower) {
    const [a, b] = [old[word], fresh[word]]
    if (typeof b !== 'number') continue
    if (typeof a !== 'number' ? word.startsWith('max') : isNarrower(a, b))
      changes.push(`${where}: ${word} is narrower`)
  }
}

function compareMembers(
  where: string,
  old: Node,
  fresh: Node,
  side: 'request' | 'answer',
  comparison: Comparison,
): void {
  const members = at(fresh, 'properties')
  for (const [name, shape] of Object.entries(at(old, 'properties'))) {
    if (members[name] === undefined) found(comparison, `${where}.${name} is gone`)
    else compareShapes(`${where}.${name}`, shape as Node, members[name] as Node, side, comparison)
  }
  const was = new Set(listAt(old, 'required'))
  const is = new Set(listAt(fresh, 'required'))
  if (side === 'request') {
    for (const name of is) if (!was.has(name)) found(comparison, `${where}.${String(name)} is required`)
  } else if (old.properties !== undefined) {
    for (const name of was) if (!is.has(name)) found(comparison, `${where}.${String(name)} may be absent`)
  }
}
