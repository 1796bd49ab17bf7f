/** What the product calls the column that says whose a row is, as its definitions tell. Knows no database. */
import { allDefinitions } from '../../definitions/any-definition.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { lex, significant, type Token } from '../../definitions/lexer.ts'

const DEFAULT = 'organization_id'

/** The column that definitions most often compare with `:organization_id`. */
export function organizationColumn(catalog: Pick<Catalog, 'reports' | 'metricsFiles'>): string {
  const counts = new Map<string, number>()
  for (const { source } of allDefinitions(catalog)) {
    const tokens = significant(lex(source.text, source.start))
    tokens.forEach((token, at) => {
      if (token.text !== ':organization_id') return
      const name = comparedWith(tokens, at)
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
    })
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return most?.[0] ?? DEFAULT
}

/** The column before `= :organization_id`, or behind `:organization_id = `. */
function comparedWith(tokens: readonly Token[], at: number): string | undefined {
  if (tokens[at - 1]?.text === '=') return nameOf(tokens[at - 2])
  if (tokens[at + 1]?.text !== '=') return undefined
  const isQualified = tokens[at + 3]?.text === '.'
  return nameOf(tokens[isQualified ? at + 4 : at + 2])
}

function nameOf(token: Token | undefined): string | undefined {
  if (token?.kind === 'word') return token.text.toLowerCase()
  return token?.kind === 'quoted' ? token.text.slice(1, -1) : undefined
}
