// A product with dates as text, checked texts and functions.
import { readProduct, type Product } from '../../src/author/check/product.ts'
import { questionOf } from '../../src/author/check/questions.ts'
import { withSnapshot } from '../../src/author/check/session.ts'
import { checkTyped } from '../../src/author/check/typed-checks.ts'
import type { AnyDefinition } from '../../src/definitions/any-definition.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { productSql } from '../harness/fixtures.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { folderOf, tenancyIn } from './bad-definitions.ts'
import { definitionDraft } from './definition-draft.ts'
import { useProduct } from './use-product.ts'

const SCHEMA = productSql('typed')

const TENANCY = `
clients: shipper_id
orders: shipper_id
billing.rounded(): shared
stamp(): shared
mixed(): shared
all_cents(): shared
`

const { bindings } = questionOf(
  { id: '1', idType: 'smallint', timeZone: 'Europe/Moscow', entitled: true },
  'this year',
  () => Date.parse('2026-11-21T09:00:00Z'),
)

/** Registers hooks. */
export function useTypedProduct() {
  const { found, session } = useProduct({
    database: 'svodka_typed',
    schema: SCHEMA,
    tenancy: TENANCY,
    ids: ['1'],
    idType: 'smallint',
  })
  let product: Product
  before(async () => {
    product = await withSnapshot(session(), snapshot =>
      readProduct(snapshot, tenancyIn(TENANCY), parseSql),
    )
  })

  return {
    /** Findings by the catalog as `line: message`, for a definition that PostgreSQL can prepare. */
    async typed(text: string): Promise<string[]> {
      const definition = await loadedDefinition(text)
      const draft = await definitionDraft(definition)
      return withSnapshot(session(), async snapshot => {
        const { statement } = definition
        const values = statement.values(bindings)
        await snapshot.describe({ text: statement.text('smallint'), values, timeoutMs: 5000 })
        const findings = await checkTyped({ draft, product, session: snapshot })
        return findings.map(({ line, message }) => `${line}: ${message}`)
      })
    },
    /** All findings on a replica. */
    onReplica: async (text: string) => (await found(await loadedDefinition(text))).findings,
  }
}

async function loadedDefinition(text: string): Promise<AnyDefinition> {
  const isOfMetrics = text.startsWith('/*---\nmetrics:')
  const file = isOfMetrics ? 'metrics/accounts.sql' : 'reports/bad/accounts.sql'
  const { reports, metricsFiles } = await loadCatalog(folderOf({ [file]: text }, TENANCY), parseSql)
  const definition = reports.get('accounts') ?? metricsFiles.get('accounts')
  if (definition === undefined) throw new Error('the definition was not loaded')
  return definition
}
