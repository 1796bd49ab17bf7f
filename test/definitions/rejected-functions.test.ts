// Compares the lists with `pg_proc` of the PostgreSQL under test, with all its extensions.
import { expect } from 'chai'
import { Client } from 'pg'
import { rejectionOf, SESSION_WORDS } from '../../src/definitions/rejected-functions.ts'
import { sharedCluster } from '../harness/cluster.ts'

interface CatalogFunction {
  readonly name: string
  readonly volatility: 'immutable' | 'stable' | 'volatile'
}

const FUNCTIONS = `
  select distinct
    proname as name,
    case provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end as volatility
  from pg_proc
  where pronamespace = 'pg_catalog'::regnamespace`

/** Volatile functions outside of `pg_*` that are rejected before a dry run. */
const VOLATILE_REJECTED = words(`
  currtid2 cursor_to_xml cursor_to_xmlschema lo_close lo_creat lo_create lo_export lo_from_bytea lo_get lo_import
  lo_lseek lo_lseek64 lo_open lo_put lo_tell lo_tell64 lo_truncate lo_truncate64 lo_unlink loread lowrite
  query_to_xml query_to_xml_and_xmlschema query_to_xmlschema set_config ts_rewrite ts_stat
`)

/** Stable functions that read the clock, the session, the server or tables given by a value; also most of `pg_*`. */
const STABLE_REJECTED = words(`
  now statement_timestamp transaction_timestamp mxid_age
  current_database current_schema current_schemas current_setting current_user session_user system_user
  getpgusername getdatabaseencoding get_current_ts_config version row_security_active
  inet_client_addr inet_client_port inet_server_addr inet_server_port
  has_any_column_privilege has_column_privilege has_database_privilege has_foreign_data_wrapper_privilege
  has_function_privilege has_language_privilege has_largeobject_privilege has_parameter_privilege
  has_schema_privilege has_sequence_privilege has_server_privilege has_table_privilege
  has_tablespace_privilege has_type_privilege
  txid_current txid_current_if_assigned txid_current_snapshot
  table_to_xml table_to_xml_and_xmlschema table_to_xmlschema
  schema_to_xml schema_to_xml_and_xmlschema schema_to_xmlschema
  database_to_xml database_to_xml_and_xmlschema database_to_xmlschema
`)

/** Stable functions of `pg_*` that depend on their arguments only. */
const STABLE_ALLOWED = words(`
  pg_basetype pg_char_to_encoding pg_collation_for pg_column_size pg_encoding_to_char pg_typeof
`)

/** Rejected immutable functions: the first has a volatile overload, the other has no use in a report. */
const IMMUTABLE_REJECTED = words('ts_rewrite pg_indexam_progress_phasename')

function words(text: string): string[] {
  return text.trim().split(/\s+/).toSorted()
}

describe('rejected functions', () => {
  let functions: readonly CatalogFunction[] = []

  before(async () => {
    const client = new Client({ connectionString: (await sharedCluster()).primaryUrl })
    await client.connect()
    functions = (await client.query<CatalogFunction>(FUNCTIONS)).rows
    await client.end()
  })

  const namesWhere = (test: (one: CatalogFunction) => boolean): string[] =>
    [...new Set(functions.filter(test).map(({ name }) => name))].toSorted()
  const isRejected = ({ name }: { name: string }): boolean => rejectionOf(name) !== undefined

  it('include the volatile functions that run SQL, read tables given by a value or change the session', () => {
    const found = namesWhere(one => one.volatility === 'volatile' && isRejected(one))
    expect(found.filter(name => !name.startsWith('pg_'))).to.deep.equal(VOLATILE_REJECTED)
    const allowed = namesWhere(
      one => one.volatility === 'volatile' && !isRejected(one) && one.name.startsWith('pg_'),
    )
    expect(allowed).to.deep.equal([])
  })

  it('include no stable functions except those that were reviewed', () => {
    const ofOthers = namesWhere(
      one => one.volatility === 'stable' && isRejected(one) && !one.name.startsWith('pg_'),
    )
    const volatile = namesWhere(({ volatility }) => volatility === 'volatile')
    expect(ofOthers.filter(name => !volatile.includes(name))).to.deep.equal(STABLE_REJECTED)
    const allowed = namesWhere(
      one =>
        one.volatility === 'stable' && !isRejected(one) && /^pg_.*(?<!_recv|_send)$/.test(one.name),
    )
    expect(allowed).to.deep.equal(STABLE_ALLOWED)
  })

  it('include no immutable functions except those that were reviewed', () => {
    const found = namesWhere(
      one =>
        one.volatility === 'immutable' &&
        isRejected(one) &&
        !/_(?:in|out|recv|send)$/.test(one.name),
    )
    expect(found).to.deep.equal(IMMUTABLE_REJECTED)
  })

  it('have the most specific reason and exist in the catalog', () => {
    expect(rejectionOf('now')).to.include({ clock: true })
    expect(rejectionOf('query_to_xml')?.reason).to.contain('executes SQL')
    expect(rejectionOf('lo_get')?.reason).to.contain('large objects')
    expect(rejectionOf('pg_stat_get_activity')?.reason).to.contain('administration')
    for (const name of ['', 'NOW', 'now2', 'lower', 'pg_typeof', 'shop_now', 'user']) {
      expect(rejectionOf(name), name).to.equal(undefined)
    }
    const words = SESSION_WORDS.filter(name => functions.some(one => one.name === name))
    expect(words.filter(name => !isRejected({ name }))).to.deep.equal([])
  })
})
