/** Assembles the files of a folder into one catalog in which each code is unique. Does no I/O. */
import { basename } from 'node:path'
import type { Catalog, ReportDefinition } from './definition.ts'
import type { FileFinding } from './findings.ts'
import { PRODUCT_FILE, type Product } from './product.ts'
import { brokenLinks } from './report-link.ts'
import { suggest } from '../model/spelling.ts'
import type { DefinitionOf, FileRead, FolderRead, Loaded } from './read-folder.ts'

/** By file. */
export type LoadedFiles = ReadonlyMap<string, Loaded>

export interface Assembled {
  /** The definition to use for each file, in the order of the files. */
  readonly inUse: LoadedFiles
  /** Undefined without a key look-up, which every request needs. */
  readonly catalog: Catalog | undefined
  /** Those that concern two files: duplicate codes, and links. */
  readonly ofPairs: readonly FileFinding[]
  /** Those of the folder, of each file, and of pairs. */
  readonly findings: readonly FileFinding[]
}

/**
 * If two files have the same code, the first gets it, unless the other one had it in `lastGood`.
 * @param lastGood used for files that exist but do not load
 */
export function assembleFolder(
  { files, findings, product }: FolderRead,
  lastGood: LoadedFiles = new Map(),
): Assembled {
  const ofPairs: FileFinding[] = []
  const owners = new Map<string, string>()
  const chosen = new Map<string, Loaded>()

  for (const read of files.toSorted((a, b) => rank(a, lastGood) - rank(b, lastGood))) {
    const { file, loaded } = read
    const isFree = (code: string) => !owners.has(code)
    const loadedCodes = codesOf(read, loaded)
    for (const [code, line] of loadedCodes) {
      const message = `${code} is also in ${owners.get(code)}, expected each code once`
      if (!isFree(code)) ofPairs.push({ file, line, message })
    }
    const usable = [loaded, lastGood.get(file)].find(
      each => each !== undefined && [...codesOf(read, each).keys()].every(isFree),
    )
    if (usable !== undefined) chosen.set(file, usable)
    // why: a report that does not load still owns its code, so that both errors are reported together
    const codes = usable === undefined ? loadedCodes : codesOf(read, usable)
    for (const code of [...codes.keys()].filter(isFree)) owners.set(code, file)
  }

  const loading = files.filter(({ file }) => chosen.has(file))
  const inUse = new Map(loading.map(({ file }) => [file, chosen.get(file)!]))
  const catalog = catalogOf([...inUse.values()], product)
  ofPairs.push(...linkFindings(files, catalog), ...pageFindings(product, files, catalog))
  const all = [...findings, ...files.flatMap(read => read.findings), ...ofPairs]
  return { inUse, catalog, ofPairs, findings: all }
}

function linkFindings(files: readonly FileRead[], catalog: Catalog | undefined): FileFinding[] {
  const reports = new Map<string, ReportDefinition | null>()
  for (const { kind, file } of files)
    if (kind === 'report') reports.set(basename(file, '.sql'), null)
  for (const [code, report] of catalog?.reports ?? []) reports.set(code, report)
  return [...reports.values()].flatMap(report =>
    report === null ? [] : brokenLinks(report, reports),
  )
}

/** Names of product.yaml that no report or metric has. */
function pageFindings(
  { page: { groups = {}, cards = {}, shortfall = 'none' } }: Product,
  files: readonly FileRead[],
  catalog: Catalog | undefined,
): FileFinding[] {
  // why: what does not load has findings of its own
  if (catalog === undefined || files.some(({ loaded }) => loaded === undefined)) return []
  const { access, reports, metrics } = catalog
  const file = access.file.replace(/access\/.*$/, PRODUCT_FILE)
  const unknown = (what: string, name: string, names: Iterable<string>): FileFinding[] => {
    const known = [...names]
    const message = `page: no ${what} "${name}", ${suggest(name, known)}`
    return known.includes(name) ? [] : [{ file, line: undefined, message }]
  }
  const sources = [...Object.values(cards), shortfall].filter(source => source !== 'none')
  const ofSources = sources.flatMap(source => {
    const [code = '', columns = ''] = source.split('.')
    const known = reports.get(code)?.columns.map(({ key }) => key)
    if (known === undefined) return unknown('report', code, reports.keys())
    return columns.split(' + ').flatMap(name => unknown(`column of ${code}`, name, known))
  })
  const folders = new Set(Array.from(reports.values(), ({ group }) => group))
  return [
    ...Object.keys(groups).flatMap(name => unknown('folder of reports', name, folders)),
    ...Object.keys(cards).flatMap(code => unknown('metric', code, metrics.keys())),
    ...ofSources,
  ]
}

/** Unchanged files get their codes first, then changed files, then new ones. */
function rank({ file, loaded }: FileRead, lastGood: LoadedFiles): number {
  const old = lastGood.get(file)
  if (old === undefined) return 2
  return loaded === undefined || loaded.definition.version === old.definition.version ? 0 : 1
}

/** Codes as messages name them, each with its line. */
function codesOf({ file, kind }: FileRead, loaded: Loaded | undefined): Map<string, number> {
  if (kind === 'report') return new Map([[`report "${basename(file, '.sql')}"`, 1]])
  if (loaded?.kind !== 'metrics') return new Map()
  const { metrics, source } = loaded.definition
  return new Map(metrics.map(({ code }) => [`metric "${code}"`, source.lineOf(['metrics', code])]))
}

function catalogOf(files: readonly Loaded[], product: Product): Catalog | undefined {
  const all = <Kind extends Loaded['kind']>(kind: Kind) =>
    files.flatMap(loaded => (loaded.kind === kind ? [loaded.definition as DefinitionOf<Kind>] : []))
  const [access] = all('access')
  if (access === undefined) return undefined
  const metricsFiles = all('metrics')
  return {
    product,
    access,
    organizations: all('organizations')[0],
    heartbeat: all('heartbeat')[0],
    reports: new Map(all('report').map(report => [report.code, report])),
    metricsFiles: new Map(metricsFiles.map(file => [file.area, file])),
    metrics: new Map(
      metricsFiles.flatMap(file =>
        file.metrics.map(metric => [metric.code, { metric, file }] as const),
      ),
    ),
  }
}
