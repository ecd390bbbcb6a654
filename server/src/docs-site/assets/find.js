// biome-ignore-all lint/correctness/noUnusedVariables: site.js uses them.
// What the search finds, and in which order: guides and the reference before pages about the project itself.
const searchOptions = { fields: ['heading', 'page', 'text'], storeFields: ['page', 'heading'] }

// One edit in a short word would make it another word: zone, none, done.
const wordLengthOfEdits = 6

const weightOf = (id) => {
  if (id.startsWith('/docs/decisions/')) return 0.2
  return /^\/docs\/(guides|reference|sdk|readings|specification|books)\b/.test(id) ? 1 : 0.5
}

// The entries with all words of the query, or, if there are none, those with some of them.
const findEntries = (index, query) => {
  const settings = {
    boost: { heading: 3, page: 2 },
    boostDocument: weightOf,
    prefix: true,
    fuzzy: (word) => (word.length < wordLengthOfEdits ? false : 0.15),
  }
  const whole = index.search(query, { ...settings, combineWith: 'AND' })
  return whole.length > 0 ? whole : index.search(query, { ...settings, combineWith: 'OR' })
}
