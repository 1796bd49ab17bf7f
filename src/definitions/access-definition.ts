/** The parsed files of `sql/access/` and `sql/replica/`. */
import type { DefinedFile } from './source-file.ts'

/** The statement of an access file, for messages about its columns. */
export interface AccessSource {
  /** As in the file, with `$1` for the key hashes; lines are the same. */
  readonly sql: string
  readonly firstLine: number
  /** By name of selected column, as far as the syntax shows it. */
  readonly lines: ReadonlyMap<string, number>
}

/** Key hashes to organizations. */
export interface AccessDefinition extends DefinedFile {
  readonly source: AccessSource
  /**
   * SQL with `$1` = `bytea[]` of SHA-256 hashes. Returns a row for each key that is valid now:
   * `key_hash` (bytea), `organization_id` (text), `organization_id_type` (text), `time_zone`, `entitled`;
   * `organization_name`, `currency` (text), `reports`, `parameters` (JSON as text), each null unless the file selects it.
   */
  readonly text: string
  /** SQL with the same `$1`. Always returns one row: `organization_id_type`. */
  readonly idTypeText: string
}

/** Organizations by id or nickname, for the command line. */
export interface OrganizationsDefinition extends DefinedFile {
  readonly source: AccessSource
  /**
   * SQL with `$1` = an id or a nickname, or null for all that have a nickname. Returns `organization_id` (text),
   * `organization_id_type` (text), `time_zone`, `nickname`, `currency`.
   */
  readonly text: string
  /** The same for every organization, without a parameter. */
  readonly everyText: string
}

/** The lag of replicas by a row that the product writes. */
export interface HeartbeatDefinition extends DefinedFile {
  /** SQL that returns one row: `written_ms`, milliseconds since the epoch, text. */
  readonly text: string
}
