/** Ids that comments of a definition of the corpus name, such as `-- expect: null-comparison`. */

/** @returns ids with their lines; line 0 is any */
export function marked(text: string, word: string): string[] {
  return text.split('\n').flatMap((content, at) => {
    const line = /^(?:--|#) (?:expect|missed|blamed):/.test(content) ? 0 : at + 1
    const marks = content.matchAll(new RegExp(`(?:--|#) ${word}: ([a-z-]+(?:, [a-z-]+)*)`, 'g'))
    return [...marks].flatMap(([, ids = '']) => ids.split(', ').map(id => `${line}: ${id}`))
  })
}
