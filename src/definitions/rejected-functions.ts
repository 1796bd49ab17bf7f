/**
 * Functions that SQL of a definition may not call, with reasons. This catches mistakes; the guarantee is the role, the
 * read-only transaction and the standby. `sql/README.md` documents each entry. A test compares them with `pg_proc`.
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

/** Functions of PostgreSQL 15 to 18 and of its extensions. The first entry that matches applies. */
export const REJECTED_FUNCTIONS: readonly Rejection[] = [
  {
    clock: true,
    reason: 'reads the clock, expected :today, :as_of or :now',
    names: wordsOf('now clock_timestamp statement_timestamp transaction_timestamp timeofday'),
  },
  {
    reason: 'returns a different value each time, expected one that depends only on the data',
    names: wordsOf(`
      random random_normal array_sample array_shuffle gen_random_uuid uuidv* uuid_generate_v*
      normal_rand gen_random_bytes gen_salt pgp_pub_encrypt* pgp_sym_encrypt*
    `),
    // why: these are deterministic hashes of a name
    except: wordsOf('uuid_generate_v3 uuid_generate_v5'),
  },
  {
    reason: 'executes SQL or reads tables given by a value, expected them in the statement itself',
    names: wordsOf(`
      query_to_xml* table_to_xml* schema_to_xml* database_to_xml* cursor_to_xml* ts_stat ts_rewrite
      currtid2 connectby crosstab* xpath_table
    `),
  },
  {
    reason: 'waits and holds a connection, expected a plain read',
    names: ['pg_sleep*'],
  },
  {
    reason: 'changes the session or waits for other sessions, expected a plain read',
    names: wordsOf(`
      set_config setseed set_limit isn_weak pg_notify pg_export_snapshot pg_advisory_*
      pg_try_advisory_*
    `),
  },
  {
    reason: 'uses a sequence, expected a plain read',
    names: wordsOf('nextval setval currval lastval pg_sequence_last_value pg_get_sequence_data'),
  },
  {
    reason: 'reaches another database, expected tables of this one',
    names: wordsOf('dblink* postgres_fdw_*'),
  },
  {
    reason: "reaches the server's files or large objects, expected tables",
    names: wordsOf(`
      pg_read_* pg_stat_file pg_ls_* pg_file_* pg_logdir_ls pg_hba_file_rules pg_ident_file_mappings
      pg_show_all_file_settings lo_* loread lowrite file_fdw_* xslt_process
    `),
  },
  {
    reason: OF_SERVER,
    names: wordsOf(`
      current_database current_query current_schema current_schemas current_setting current_user
      get_current_ts_config getdatabaseencoding getpgusername has_*_privilege inet_client_*
      inet_server_* mxid_age row_security_active session_user system_user txid_current* txid_status
      version show_limit fips_mode ssl_cipher ssl_client_* ssl_extension_info ssl_is_used
      ssl_issuer_* ssl_version
    `),
  },
  {
    reason: 'is for administration, expected a plain read of the data',
    // why: pg_* also rejects functions of future versions
    names: wordsOf(`
      pg_* RI_FKey_* suppress_redundant_updates_trigger tsvector_update_trigger* unique_key_recheck
      brinhandler bthandler ginhandler gisthandler hashhandler spghandler heap_tableam_handler
      amvalidate bernoulli system dsnowball_* plpgsql_* binary_upgrade_* brin_desummarize_range
      brin_summarize_* gin_clean_pending_list
      bt_* gin_index_check verify_heapam brin_metapage_info brin_page_* brin_revmap_data
      fsm_page_contents get_raw_page gin_leafpage_items gin_metapage_info gin_page_* gist_page_*
      hash_bitmap_info hash_metapage_info hash_page_* heap_page_* heap_tuple_infomask_flags
      page_checksum page_header tuple_data_split heap_force_* autoprewarm_* pgrowlocks pgstat*
    `),
    except: wordsOf(`
      pg_basetype pg_char_to_encoding pg_collation_for pg_column_size pg_encoding_* pg_input_*
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
