/** The reference of all kinds of findings, which is sql/findings.md. */
import type { Kind } from './kinds.ts'

const HEAD = `# Findings of svodka check

\`svodka check --rules\` prints this page. An error is a wrong figure or an execution that fails, a warning is probably one,
a note is a thing to know. \`-- allow: star because ...\` behind a line, or above it, allows a finding; \`# allow: ...\` in
front matter allows it in the whole file. A bad line that begins with \`and\` is a condition, one with a comma a column.
`

/** In Markdown. */
export function referenceOf(kinds: readonly Kind[]): string {
  const sections = kinds.map(
    ({ id, level, sentence, bad, good }) =>
      `## ${id}\n\n${level}: ${sentence}\n\n    bad:  ${lines(bad)}\n    good: ${lines(good)}\n`,
  )
  return [HEAD, ...sections].join('\n')
}

/** Behind the first line, in the column of its begin. */
function lines(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat(10)}`)
}
