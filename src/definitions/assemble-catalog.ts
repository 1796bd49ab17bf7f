/** The files of a folder as one catalog, in which no code is in two of them. Reads nothing. */
import { basename } from 'node:path'
import type {
  AccessDefinition,
  Catalog,
  HeartbeatDefinition,
  MetricsDefinition,
  OrganizationsDefinition,
  ReportDefinition,
} from './definition.ts'
import type { FileFinding } from './findings.ts'
import type { FileRead, Loaded } from './read-folder.ts'

/** By file. */
export type LoadedFiles = ReadonlyMap<string, Loaded>

export interface Assembled {
  /** What each file has become that is of use, in the order of the files. */
  readonly inUse: LoadedFiles
  /** Undefined where there is no key look-up, without which nobody can be answered. */
  readonly catalog: Catalog | undefined
  /** Codes that two files have. */
  readonly findings: readonly FileFinding[]
}

/** A code, as messages name it, at a line of a file. */
interface Claim {
  readonly code: string
  readonly line: number
}

/**
 * Of two files with one code the earlier one has it, unless the other had it before.
 * @param lastGood stands in for a file that is there but does not load
 */
export function assembleCatalog(
  files: readonly FileRead[],
  lastGood: LoadedFiles = new Map(),
): Assembled {
  const findings: FileFinding[] = []
  const owners = new Map<string, string>()
  const chosen = new Map<string, Loaded>()

  for (const read of files.toSorted((a, b) => rank(a, lastGood) - rank(b, lastGood))) {
    const { file, loaded } = read
    const isFree = ({ code }: Claim) => !owners.has(code)
    const claims = claimsOf(read, loaded)
    for (const { code, line } of claims.filter(claim => !isFree(claim))) {
      findings.push({
        file,
        line,
        message: `${code} is also in ${owners.get(code)}, expected each code once`,
      })
    }
    const old = lastGood.get(file)
    const taken =
      loaded !== undefined && claims.every(isFree)
        ? loaded
        : old !== undefined && claimsOf(read, old).every(isFree)
          ? old
          : undefined
    // why: a report that does not load has its code nonetheless, and both are told at once
    for (const { code } of taken === undefined ? claims.filter(isFree) : claimsOf(read, taken)) {
      owners.set(code, file)
    }
    if (taken !== undefined) chosen.set(file, taken)
  }

  const inUse = new Map(
    files.flatMap(({ file }) => {
      const loaded = chosen.get(file)
      return loaded === undefined ? [] : [[file, loaded] as const]
    }),
  )
  return { inUse, catalog: catalogOf([...inUse.values()]), findings }
}

/** What is as it was keeps its codes; then come changed files, then new ones. */
function rank({ file, loaded }: FileRead, lastGood: LoadedFiles): number {
  const old = lastGood.get(file)
  if (old === undefined) return 2
  return loaded === undefined || loaded.definition.version === old.definition.version ? 0 : 1
}

function claimsOf({ file, kind }: FileRead, loaded: Loaded | undefined): Claim[] {
  if (kind === 'report') return [{ code: `report "${basename(file, '.sql')}"`, line: 1 }]
  if (loaded?.kind !== 'metrics') return []
  const { metrics, source } = loaded.definition
  return metrics.map(({ code }) => ({
    code: `metric "${code}"`,
    line: source.lineOf(['metrics', code]),
  }))
}

function catalogOf(files: readonly Loaded[]): Catalog | undefined {
  let access: AccessDefinition | undefined
  let organizations: OrganizationsDefinition | undefined
  let heartbeat: HeartbeatDefinition | undefined
  const reports: ReportDefinition[] = []
  const metricsFiles: MetricsDefinition[] = []
  for (const { kind, definition } of files) {
    if (kind === 'access') access = definition
    else if (kind === 'organizations') organizations = definition
    else if (kind === 'heartbeat') heartbeat = definition
    else if (kind === 'report') reports.push(definition)
    else metricsFiles.push(definition)
  }
  if (access === undefined) return undefined
  return {
    access,
    organizations,
    heartbeat,
    reports: new Map(reports.map(report => [report.code, report])),
    metricsFiles: new Map(metricsFiles.map(file => [file.area, file])),
    metrics: new Map(
      metricsFiles.flatMap(file =>
        file.metrics.map(metric => [metric.code, { metric, file }] as const),
      ),
    ),
  }
}
