// Statements of the `.sql` files beside this one. A comment heads the group below it.
import { readFileSync } from 'node:fs'

export interface Listed {
  readonly text: string
  /** Of the group: what the file's first lines say. */
  readonly heading: string
}

/** @param name of the file */
export function statementsOf(name: string): Listed[] {
  const file = readFileSync(`test/isolation/${name}.sql`, 'utf8')
  let heading = ''
  return Array.from(
    file.matchAll(/((?:^-- .*\n+)*)(\S[^]*?)\n?;\n/gm),
    ([, head = '', text = '']) => {
      heading = head.trim().split('\n').at(-1)?.slice(3) || heading
      return { heading, text }
    },
  )
}
