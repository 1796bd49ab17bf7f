// Compares the lists with `pg_proc` of the PostgreSQL under test, with all its extensions.
import { expect } from 'chai'
import { Client } from 'pg'
import { rejectionOf, SESSION_WORDS } from '../../src/definitions/rejected-functions.ts'
import { sharedCluster } from '../harness/cluster.ts'

interface CatalogFunction {
  readonly name: string
  readonly volatility: 'immutable' | 'stable' | 'volatile'
  /** False if only the server can call it. */
  readonly isCallable: boolean
  readonly isOfExtension: boolean
}

const FUNCTIONS = `
  select distinct
    proname as name,
    case provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end as volatility,
    not ('internal'::regtype = any (proargtypes) or prorettype = any (array['internal', 'trigger']::regtype[]))
      as "isCallable",
    pg_depend.objid is not null as "isOfExtension"
  from pg_proc
  left join pg_depend on classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'
  where pronamespace = 'pg_catalog'::regnamespace or pg_depend.objid is not null`

// why: procedural languages need libraries that are not installed everywhere
const EXTENSIONS = `select name from pg_available_extensions where name !~ 'pl(perl|python|tcl)' order by name`

/**
 * Functions of 15.18, 16.14 and 17.10, contrib included, that 18 lacks and that must be rejected. All other volatile
 * functions of these versions are volatile in 18.
 */
const OLDER = words(`
  pg_read_file_old pg_rotate_logfile_old pg_timezone_abbrevs
  pg_stat_get_bgwriter_buf_written_checkpoints pg_stat_get_bgwriter_requested_checkpoints
  pg_stat_get_bgwriter_timed_checkpoints pg_stat_get_buf_fsync_backend pg_stat_get_buf_written_backend
  pg_stat_get_checkpoint_sync_time pg_stat_get_checkpoint_write_time
  pg_file_rename pg_file_sync pg_file_unlink pg_file_write pg_logdir_ls pg_old_snapshot_time_mapping
  pg_get_wal_records_info_till_end_of_wal pg_get_wal_stats_till_end_of_wal
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
  connectby crosstab crosstab2 crosstab3 crosstab4 xpath_table show_limit
`)

/** Stable functions of `pg_*` that depend on their arguments only. */
const STABLE_ALLOWED = words(`
  pg_basetype pg_char_to_encoding pg_collation_for pg_column_size pg_encoding_to_char pg_input_error_info
  pg_input_is_valid pg_typeof
`)

/** Rejected immutable functions: the first two have volatile overloads, the others have no use in a report. */
const IMMUTABLE_REJECTED = words('ts_rewrite xslt_process lo_oid pg_indexam_progress_phasename')

function words(text: string): string[] {
  return text.trim().split(/\s+/).toSorted()
}

describe('rejected functions', function () {
  this.timeout(60_000)
  let functions: readonly CatalogFunction[] = []

  before(async () => {
    const client = new Client({ connectionString: (await sharedCluster()).primaryUrl })
    await client.connect()
    try {
      await client.query('begin')
      for (const { name } of (await client.query<{ name: string }>(EXTENSIONS)).rows) {
        await client.query(`create extension if not exists "${name}" cascade`)
      }
      functions = (await client.query<CatalogFunction>(FUNCTIONS)).rows
      await client.query('rollback')
    } finally {
      await client.end()
    }
  })

  const namesWhere = (test: (one: CatalogFunction) => boolean): string[] =>
    [...new Set(functions.filter(test).map(({ name }) => name))].toSorted()
  const isRejected = ({ name }: { name: string }): boolean => rejectionOf(name) !== undefined

  it('include all volatile functions that a statement can call', () => {
    const isMeant = (one: CatalogFunction) => one.isCallable || !one.isOfExtension
    const volatile = namesWhere(one => one.volatility === 'volatile' && isMeant(one))
    expect(volatile.length).to.be.above(250)
    expect(volatile.filter(name => !isRejected({ name }))).to.deep.equal([])
  })

  it('include functions of PostgreSQL 15 to 17 that later versions lack', () => {
    expect(OLDER.filter(name => !isRejected({ name }))).to.deep.equal([])
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
    expect(rejectionOf('pg_sleep_for')?.reason).to.contain('waits')
    expect(rejectionOf('pg_read_file')?.reason).to.contain('files')
    expect(rejectionOf('pg_get_sequence_data')?.reason).to.contain('sequence')
    expect(rejectionOf('pg_stat_get_activity')?.reason).to.contain('administration')
    for (const name of ['', 'NOW', 'now2', 'lower', 'pg_typeof', 'shop_now', 'user']) {
      expect(rejectionOf(name), name).to.equal(undefined)
    }
    const words = SESSION_WORDS.filter(name => functions.some(one => one.name === name))
    expect(words.filter(name => !isRejected({ name }))).to.deep.equal([])
  })
})
