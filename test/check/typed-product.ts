// A product with dates as text, checked texts and functions.
import { readProduct, type Product } from '../../src/author/check/product.ts'
import { questionOf } from '../../src/author/check/questions.ts'
import { withSnapshot } from '../../src/author/check/session.ts'
import { checkTyped } from '../../src/author/check/typed-checks.ts'
import type { AnyDefinition } from '../../src/definitions/any-definition.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { folderOf, tenancyIn } from './bad-definitions.ts'
import { definitionDraft } from './definition-draft.ts'
import { useProduct } from './use-product.ts'

const SCHEMA = `
create domain parcel_size as text check (value in ('small', 'large'));
create table clients (
    client_id integer primary key, shipper_id smallint not null, name text not null);
create table orders (
    order_id integer primary key, shipper_id smallint not null, client_id integer not null references clients,
    ordered_on date not null, ordered_text text not null, iso_text varchar(10) not null,
    freight real not null, cents bigint not null,
    status varchar(10) not null check (status in ('open', 'shipped') or status is null),
    kind text not null check (kind = 'sale' or kind = 'gift'), size parcel_size not null,
    rating integer check (rating in (1, 2, 3)), tag text);
create index on orders (shipper_id, ordered_on);
create schema billing;
create function billing.rounded(amount real) returns bigint language sql stable as 'select round(amount * 100)::bigint';
create function stamp(cents bigint) returns bigint language sql as 'select cents';
create function round(cents text) returns bigint language sql as 'select 1::bigint';
create function mixed(cents bigint) returns bigint language sql stable as 'select cents';
create function mixed(cents text) returns bigint language sql volatile as 'select 1::bigint';
create function all_cents(shipper smallint) returns bigint stable security definer language sql
    as 'select sum(cents)::bigint from orders';
create function glue(one text, other text) returns text language sql volatile as 'select one';
create operator @+@ (leftarg = text, rightarg = text, function = glue);
insert into clients select number, number % 2 + 1, 'client ' || number % 9 from generate_series(1, 12) as number;
insert into clients values (20, 1, 'twin'), (22, 1, 'twin');
insert into orders
select number, number % 2 + 1, number % 12 + 1, date '1996-07-04' + number / 2,
    to_char(date '1996-07-04' + number / 2, 'DD.MM.YYYY'), date '1996-07-04' + number / 2,
    number + 0.15, number * 100,
    case when number % 3 = 0 then 'open' else 'shipped' end, 'sale', 'small', number % 3 + 1, 'tag'
from generate_series(1, 600) as number;
insert into orders
select 1000 + id, 1, id, '1997-03-01', '01.03.1997', '1997-03-01', 5, 500, 'open', 'gift', 'large', 1, null
from unnest(array[20, 22]) as id;
analyze;`

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
