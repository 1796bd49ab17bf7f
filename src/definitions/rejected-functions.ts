/**
 * Functions that SQL of a definition may not call, with reasons: those of which `pg_proc` does not say it. The dry run
 * rejects volatile ones. `sql/README.md` documents each entry. A test compares them with `pg_proc`.
 */

const wordsOf = (text: string): string[] => text.trim().split(/\s+/)

/** Clock functions that are called without parentheses. */
export const CLOCK_WORDS = wordsOf(
  'current_date current_time current_timestamp localtime localtimestamp',
)

/** Session functions that are called without parentheses. */
export const SESSION_WORDS = wordsOf(
  'current_catalog current_role current_schema current_user session_user system_user user',
)

/** The reason for rejecting `SESSION_WORDS` and similar functions. */
export const OF_SERVER =
  'depends on the session or the server, expected a value that depends only on the data'

/** In patterns, `*` matches letters, digits and `_`. */
export interface Rejection {
  readonly reason: string
  readonly names: readonly string[]
  /** Patterns of functions that match `names` but are allowed. */
  readonly except?: readonly string[]
  /** Reads the server's clock. */
  readonly clock?: true
}

/**
 * Functions of PostgreSQL 15 to 18 that are not volatile, or that must be rejected before a dry run. The first entry that
 * matches applies.
 */
export const REJECTED_FUNCTIONS: readonly Rejection[] = [
  {
    clock: true,
    reason: 'reads the clock, expected :today, :as_of or :now',
    names: wordsOf('now statement_timestamp transaction_timestamp'),
  },
  {
    reason: 'executes SQL or reads tables given by a value, expected them in the statement itself',
    names: wordsOf(`
      query_to_xml* table_to_xml* schema_to_xml* database_to_xml* cursor_to_xml* ts_stat ts_rewrite
      currtid2
    `),
  },
  {
    reason: 'reaches large objects, expected tables',
    names: wordsOf('lo_* loread lowrite'),
  },
  {
    reason: OF_SERVER,
    names: wordsOf(`
      current_database current_schema current_schemas current_setting current_user
      get_current_ts_config getdatabaseencoding getpgusername has_*_privilege inet_client_*
      inet_server_* mxid_age row_security_active session_user set_config system_user txid_current*
      version
    `),
  },
  {
    reason: 'is for administration, expected a plain read of the data',
    // why: pg_* also rejects functions of future versions
    names: ['pg_*'],
    except: wordsOf(`
      pg_basetype pg_char_to_encoding pg_collation_for pg_column_size pg_encoding_*
      pg_lsn* pg_partition_root pg_size_* pg_snapshot_* pg_typeof pg_visible_in_snapshot
      pg_wal_lsn_diff pg_walfile_name*
    `),
  },
]

const matcherOf = (names: readonly string[]): RegExp =>
  new RegExp(`^(?:${names.join('|').replaceAll('*', '\\w*')})$`)

const MATCHERS = REJECTED_FUNCTIONS.map(rejection => ({
  rejection,
  names: matcherOf(rejection.names),
  except: matcherOf(rejection.except ?? []),
}))

/** @param name as in `pg_proc` @returns why the function is rejected, undefined if it is allowed */
export function rejectionOf(name: string): Rejection | undefined {
  return MATCHERS.find(({ names, except }) => names.test(name) && !except.test(name))?.rejection
}

/** Strings that PostgreSQL's date input reads as the current time. */
export const CLOCK_STRINGS = ['now', 'today', 'tomorrow', 'yesterday']

/** Types whose input accepts those strings. */
export const TIME_TYPES = ['date', 'time', 'timestamp', 'timetz', 'timestamptz']
