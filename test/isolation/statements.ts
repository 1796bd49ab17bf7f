// Statements of the `.sql` files beside this one. A comment heads the group below it.
import { readFileSync } from 'node:fs'

export interface Listed {
  readonly text: string
  /** In `refused.sql`: how the refusal of loading or of PostgreSQL begins. */
  readonly heading: string
}

export function statementsOf(
  name: 'linked' | 'own-rows' | 'refused' | 'undecided' | 'unlinked',
): Listed[] {
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
