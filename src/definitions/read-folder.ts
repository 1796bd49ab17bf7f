/** Reads and parses each file of a folder of definitions: definitions that load, and findings of the others. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseAccess, parseHeartbeat, parseOrganizations } from './access.ts'
import { findingsOf, type FileFinding } from './findings.ts'
import { listFolder, readSource, type Find, type SourceFolder } from './folder.ts'
import { parseMetrics } from './metrics.ts'
import { DEFAULT_PRODUCT, parseProduct, PRODUCT_FILE, type Product } from './product.ts'
import { parseReport } from './report.ts'
import type { SourceFile } from './source-file.ts'
import type { ParseSql } from './sql/parsed-sql.ts'
import { NO_TENANCY, parseTenancy, TENANCY_FILE, type Tenancy } from './tenancy.ts'

const PARSERS = {
  access: parseAccess,
  organizations: parseOrganizations,
  heartbeat: parseHeartbeat,
  report: parseReport,
  metrics: parseMetrics,
}
export type DefinitionOf<Kind extends keyof typeof PARSERS> = NonNullable<
  Awaited<ReturnType<(typeof PARSERS)[Kind]>>['value']
>

export type Loaded = {
  [Kind in keyof typeof PARSERS]: { readonly kind: Kind; readonly definition: DefinitionOf<Kind> }
}[keyof typeof PARSERS]

export interface FileRead {
  /** As messages name it: `sql/reports/finance/profit_loss.sql`. */
  readonly file: string
  readonly kind: Loaded['kind']
  /** Hash of the bytes, of `tenancy.yaml` and `product.yaml`; undefined if the file cannot be read. */
  readonly version: string | undefined
  /** Undefined if there are findings. */
  readonly loaded?: Loaded | undefined
  readonly findings: readonly FileFinding[]
}

export interface FolderRead {
  /** In the order of the API's lists. */
  readonly files: readonly FileRead[]
  /** Bad names and missing files. */
  readonly findings: readonly FileFinding[]
  /** Of its lines without findings. */
  readonly tenancy: Tenancy
  /** Hash of `tenancy.yaml`; undefined without it. */
  readonly tenancyVersion: string | undefined
  /** The previous one if `product.yaml` has findings. */
  readonly product: Product
}

/**
 * @param directory `SQL_DIR`, with `access/`, `reports/` and `metrics/` in it
 * @param previous an earlier result: unchanged files are not parsed again
 */
export async function readFolder(
  directory: string,
  parse: ParseSql,
  previous?: FolderRead,
): Promise<FolderRead> {
  const root = resolve(directory)
  const folder = { parent: dirname(root), name: basename(root) }
  const findings: FileFinding[] = []
  const declared = readTenancy(folder, findInto(findings))
  findings.push(...(declared?.findings ?? []))
  const ofProduct = readProduct(folder, findInto(findings))
  findings.push(...ofProduct.findings)
  const { product = previous?.product ?? DEFAULT_PRODUCT } = ofProduct
  const before = new Map(previous?.files.map(read => [read.file, read]))
  // why: the rules check one file while the parser reads the next
  const reads = listFolder(folder, findInto(findings)).map(
    async ({ kind, file }): Promise<FileRead> => {
      const cannot: FileFinding[] = []
      const source = readSource(folder, file, findInto(cannot))
      if (source === undefined) return { file, kind, version: undefined, findings: cannot }
      // why: each definition is compiled with its tables and the product
      const version = [source.version, declared?.version, JSON.stringify(product)].join(' ')
      const known = before.get(file)
      if (known?.version === version) return known
      const tenancy = declared?.tenancy
      // why: without tenancy.yaml every table would be a finding
      if (tenancy === undefined && (kind === 'report' || kind === 'metrics'))
        return { file, kind, version, findings: [] }
      const { findings, value } = await PARSERS[kind](source, parse, tenancy ?? NO_TENANCY, product)
      // why: each parser returns the type of its kind, but TypeScript cannot infer that through the table
      const loaded = value && ({ kind, definition: value } as Loaded)
      return { file, kind, version, loaded, findings: findingsOf(file, findings) }
    },
  )
  const tenancy = declared?.tenancy ?? NO_TENANCY
  const tenancyVersion = declared?.version
  return { files: await Promise.all(reads), findings, tenancy, tenancyVersion, product }
}

/** Undefined without the file. */
function readIfThere(folder: SourceFolder, file: string, find: Find): SourceFile | undefined {
  return existsSync(join(folder.parent, file)) ? readSource(folder, file, find) : undefined
}

function readProduct(folder: SourceFolder, find: Find): ReturnType<typeof parseProduct> {
  const file = `${folder.name}/${PRODUCT_FILE}`
  const source = readIfThere(folder, file, find)
  return source === undefined ? { findings: [] } : parseProduct(source.text, file)
}

/** Undefined without the file. */
function readTenancy(folder: SourceFolder, find: Find) {
  const file = `${folder.name}/${TENANCY_FILE}`
  const source = readIfThere(folder, file, find)
  if (source === undefined) {
    const expected = 'a line for each table that definitions read: svodka tenancy proposes it'
    find(file, `no such file, expected ${expected}`)
    return undefined
  }
  return { ...parseTenancy(source.text, file), version: source.version }
}

function findInto(findings: FileFinding[]): Find {
  return (file, message) => void findings.push({ file, line: undefined, message })
}
