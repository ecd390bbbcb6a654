// Checks the trees of a PDF (pages, fields, names) and their chains of parents: a tree must not contain itself, be too
// deep, or list the same pages so often that the count of pages is too large.
import { PAGES_MAX, PDF_TREE_DEPTH_MAX } from './limits.ts'
import type { PdfDictionary, PdfValue } from './pdf-value.ts'
import { lookUp, nameOf } from './pdf-value.ts'

const IN_ITSELF = 'The PDF has a tree of pages or fields that holds itself.'
const TOO_MANY = `The PDF has more than ${PAGES_MAX} pages.`

export class Trees {
  private readonly kids = new Map<number, number[]>()
  private readonly parents = new Map<number, number>()
  /** Lists of kids that are separate objects. */
  private readonly lists = new Map<number, number[]>()
  private readonly listOf = new Map<number, number>()
  private readonly roots = new Set<number>()
  private countsTooMany = false

  /** Adds an object of the file; of several with the same number the last one counts. */
  add(object: number, value: PdfValue): void {
    if (value.kind === 'array') {
      const list = referencesOf(value.items)
      if (list.length > 0) this.lists.set(object, list)
      return
    }
    if (value.kind === 'dictionary') this.addNode(object, value)
  }

  private addNode(object: number, node: PdfDictionary): void {
    const kids = lookUp(node, 'Kids')
    this.kids.delete(object)
    this.listOf.delete(object)
    this.parents.delete(object)
    if (kids?.kind === 'array') this.kids.set(object, referencesOf(kids.items))
    if (kids?.kind === 'reference') this.listOf.set(object, kids.object)
    const parent = lookUp(node, 'Parent')
    const inTree = kids !== undefined || ['Page', 'Pages'].includes(nameOf(lookUp(node, 'Type')) ?? '')
    if (inTree && parent?.kind === 'reference') this.parents.set(object, parent.object)
    const pages = lookUp(node, 'Pages')
    if (pages?.kind === 'reference') this.roots.add(pages.object)
    const count = lookUp(node, 'Count')
    if (kids && count?.kind === 'number' && count.number > PAGES_MAX) this.countsTooMany = true
  }

  /** Returns a sentence about the fault, or undefined. */
  judge(): string | undefined {
    if (this.countsTooMany) return TOO_MANY
    for (const [node, list] of this.listOf) this.kids.set(node, this.lists.get(list) ?? [])
    const leaves = new Map<number, number>()
    for (const node of this.kids.keys()) {
      if (!this.countLeaves(node, leaves)) return IN_ITSELF
    }
    for (const root of this.roots) if ((leaves.get(root) ?? 0) > PAGES_MAX) return TOO_MANY
    return this.parentsEnd() ? undefined : IN_ITSELF
  }

  /** Returns false when the tree below a node contains itself or is too deep. */
  private countLeaves(top: number, leaves: Map<number, number>): boolean {
    type Visit = { node: number; next: number; sum: number }
    const path: Visit[] = []
    const onPath = new Set<number>()
    const enter = (node: number) => {
      path.push({ node, next: 0, sum: 0 })
      onPath.add(node)
    }
    if (!leaves.has(top)) enter(top)
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const kid = this.kids.get(visit.node)?.[visit.next++]
      if (kid === undefined) {
        leaves.set(visit.node, visit.sum)
        onPath.delete(visit.node)
        path.pop()
        const above = path.at(-1)
        if (above) above.sum += visit.sum
      } else if (onPath.has(kid) || path.length > PDF_TREE_DEPTH_MAX) {
        return false
      } else if (leaves.has(kid)) {
        visit.sum += leaves.get(kid) ?? 0
      } else if (this.kids.has(kid)) {
        enter(kid)
      } else {
        visit.sum++
      }
    }
    return true
  }

  private parentsEnd(): boolean {
    const ended = new Set<number>()
    for (const start of this.parents.keys()) {
      const path: number[] = []
      const onPath = new Set<number>()
      for (
        let at: number | undefined = start;
        at !== undefined && !ended.has(at);
        at = this.parents.get(at)
      ) {
        if (onPath.has(at)) return false
        onPath.add(at)
        path.push(at)
      }
      for (const node of path) ended.add(node)
    }
    return true
  }
}

function referencesOf(items: readonly PdfValue[]): number[] {
  return items.flatMap((item) => (item.kind === 'reference' ? [item.object] : []))
}
