/** Every file of a folder of definitions, read and parsed by itself: what loads, and what is wrong with the rest. */
import { basename, dirname, resolve } from 'node:path'
import { parseAccess, parseOrganizations } from './access.ts'
import type {
  AccessDefinition,
  HeartbeatDefinition,
  MetricsDefinition,
  OrganizationsDefinition,
  ReportDefinition,
} from './definition.ts'
import { findingsOf, type FileFinding, type Parsed } from './findings.ts'
import { parseHeartbeat } from './heartbeat.ts'
import { listFolder, readSource, type Folder } from './folder.ts'
import { parseMetrics } from './metrics.ts'
import { parseReport } from './report.ts'
import type { SourceFile } from './source-file.ts'

/** What a file that loads becomes. */
export type Loaded =
  | { readonly kind: 'access'; readonly definition: AccessDefinition }
  | { readonly kind: 'organizations'; readonly definition: OrganizationsDefinition }
  | { readonly kind: 'heartbeat'; readonly definition: HeartbeatDefinition }
  | { readonly kind: 'report'; readonly definition: ReportDefinition }
  | { readonly kind: 'metrics'; readonly definition: MetricsDefinition }

export interface FileRead {
  /** As messages name it: `sql/reports/finance/profit_loss.sql`. */
  readonly file: string
  readonly kind: Loaded['kind']
  /** Hash of its bytes; undefined where it cannot be read. */
  readonly version: string | undefined
  /** Undefined where there are findings. */
  readonly loaded?: Loaded
  readonly findings: readonly FileFinding[]
}

export interface FolderRead {
  /** In the order in which lists are answered. */
  readonly files: readonly FileRead[]
  /** What is wrong with names, and what is missing. */
  readonly findings: readonly FileFinding[]
}

/**
 * @param directory `SQL_DIR`, with `access/`, `reports/` and `metrics/` in it
 * @param previous what an earlier reading found: files that have not changed since are not parsed again
 */
export function readFolder(directory: string, previous?: FolderRead): FolderRead {
  const root = resolve(directory)
  const place = { parent: dirname(root), name: basename(root) }
  const findings: FileFinding[] = []
  const folder = listFolder(place, (file, message) =>
    findings.push({ file, line: undefined, message }),
  )
  const before = new Map(previous?.files.map(read => [read.file, read]))
  const files = filesOf(folder).map(([kind, file]) => {
    const cannot: FileFinding[] = []
    const source = readSource(place, file, (file, message) =>
      cannot.push({ file, line: undefined, message }),
    )
    if (source === undefined) return { file, kind, version: undefined, findings: cannot }
    const known = before.get(file)
    return known?.version === source.version ? known : parsed(kind, source)
  })
  return { files, findings }
}

function filesOf(folder: Folder): Array<readonly [Loaded['kind'], string]> {
  const { access, organizations, heartbeat, reports, metrics } = folder
  return [
    ...(access === undefined ? [] : [['access', access] as const]),
    ...(organizations === undefined ? [] : [['organizations', organizations] as const]),
    ...(heartbeat === undefined ? [] : [['heartbeat', heartbeat] as const]),
    ...reports.map(({ file }) => ['report', file] as const),
    ...metrics.map(file => ['metrics', file] as const),
  ]
}

function parsed(kind: Loaded['kind'], source: SourceFile): FileRead {
  const { file, version } = source
  const { findings, value } = parse(kind, source)
  const read = { file, kind, version, findings: findingsOf(file, findings) }
  return value === undefined ? read : { ...read, loaded: value }
}

function parse(kind: Loaded['kind'], source: SourceFile): Parsed<Loaded> {
  switch (kind) {
    case 'access':
      return as(parseAccess(source), definition => ({ kind, definition }))
    case 'organizations':
      return as(parseOrganizations(source), definition => ({ kind, definition }))
    case 'heartbeat':
      return as(parseHeartbeat(source), definition => ({ kind, definition }))
    case 'report':
      return as(parseReport(source, basename(dirname(source.file))), definition => ({
        kind,
        definition,
      }))
    case 'metrics':
      return as(parseMetrics(source), definition => ({ kind, definition }))
  }
}

function as<T>({ findings, value }: Parsed<T>, load: (value: T) => Loaded): Parsed<Loaded> {
  return value === undefined ? { findings } : { findings, value: load(value) }
}
