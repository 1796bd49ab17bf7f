/** What SQL of a definition may not call, and why. `sql/README.md` documents each entry, under a test. */

/** Words that are values by themselves. */
export const CLOCK_WORDS = [
  'current_date',
  'current_time',
  'current_timestamp',
  'localtime',
  'localtimestamp',
]

/** Words that tell of the session. */
export const SESSION_WORDS = [
  'current_catalog',
  'current_role',
  'current_schema',
  'current_user',
  'session_user',
  'system_user',
  'user',
]

/** Why neither these words nor the functions of their kin may be used. */
export const OF_SERVER =
  'tells of the session or the server, expected what depends on the data alone'

/** A reason and the functions that it holds for; `*` stands for any ending. */
export interface Refusal {
  readonly reason: string
  readonly names: readonly string[]
  /** Reads the server's clock. */
  readonly clock?: true
}

export const REFUSED_FUNCTIONS: readonly Refusal[] = [
  {
    clock: true,
    reason: 'reads the clock, expected :today, :as_of or :now',
    names: ['now', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp', 'timeofday'],
  },
  {
    reason: 'gives another answer every time, expected one that depends on the data alone',
    names: ['random', 'random_normal', 'setseed', 'gen_random_uuid', 'uuid_generate_v*', 'uuidv*'],
  },
  {
    reason: OF_SERVER,
    names: [
      'current_database',
      'current_schemas',
      'current_setting',
      'inet_*',
      'pg_backend_pid',
      'pg_conf_load_time',
      'pg_current_snapshot',
      'pg_current_wal_*',
      'pg_database_size',
      'pg_indexes_size',
      'pg_is_in_recovery',
      'pg_last_*',
      'pg_postmaster_start_time',
      'pg_relation_size',
      'pg_table_size',
      'pg_tablespace_size',
      'pg_total_relation_size',
      'txid_current_*',
      'version',
    ],
  },
  {
    reason: 'changes the session or waits for others, expected a plain read',
    names: ['set_config', 'pg_advisory_*', 'pg_try_advisory_*', 'pg_notify', 'pg_export_snapshot'],
  },
  {
    reason: 'moves a sequence, expected a plain read',
    names: ['nextval', 'setval', 'currval', 'lastval'],
  },
  {
    reason: 'reaches another database, expected tables of this one',
    names: ['dblink*', 'postgres_fdw_*'],
  },
  {
    reason: "reaches the server's files, expected tables",
    names: [
      'pg_read_file',
      'pg_read_binary_file',
      'pg_stat_file',
      'pg_ls_*',
      'pg_file_*',
      'lo_import',
      'lo_export',
      'lo_create',
      'lo_creat',
      'lo_open',
      'lo_close',
      'lo_get',
      'lo_put',
      'lo_unlink',
      'lo_from_bytea',
      'lo_truncate',
      'lowrite',
      'loread',
    ],
  },
  {
    reason: 'acts on the server, expected a plain read',
    names: [
      'pg_terminate_backend',
      'pg_cancel_backend',
      'pg_reload_conf',
      'pg_rotate_logfile',
      'pg_promote',
      'pg_switch_wal',
      'pg_wal_replay_pause',
      'pg_wal_replay_resume',
      'pg_create_restore_point',
      'pg_logical_*',
      'pg_replication_*',
      'pg_create_*_replication_slot',
      'pg_drop_replication_slot',
      'pg_stat_reset*',
      'txid_current',
      'pg_current_xact_id*',
    ],
  },
]

const PATTERNS = REFUSED_FUNCTIONS.map(refusal => ({
  refusal,
  pattern: new RegExp(`^(?:${refusal.names.join('|').replaceAll('*', '\\w*')})$`),
}))

/** Why a function may not be called, or undefined where it may. */
export function refusalOf(name: string): Refusal | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(name))?.refusal
}

/** Types that lose kopecks. */
export const FLOAT_TYPES = ['float4', 'float8', 'float', 'real', 'double']

/** Strings that PostgreSQL's date input replaces by the clock. */
export const CLOCK_STRINGS = ['now', 'today', 'tomorrow', 'yesterday']

/** Types whose input knows those strings. */
export const TIME_TYPES = ['date', 'time', 'timestamp', 'timetz', 'timestamptz']
