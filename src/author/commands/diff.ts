/** `svodka diff CODE`: compares two versions of a definition, their results and their cost, on the replica. */
import { basename, dirname, resolve } from 'node:path'
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { Config } from '../../config/config.ts'
import type { Catalog, ParameterValues } from '../../definitions/definition.ts'
import { withSqlParser } from '../../definitions/sql/sql-parser.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { DatabaseClient } from '../../serve/database/database-client.ts'
import {
  bindings,
  makeReportRequest,
  statementOf,
  type ReportRequest,
} from '../../serve/report/report-request.ts'
import { displayFile, print } from '../../command/output.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { orFindings } from '../../command/load-all.ts'
import { questionsOf, type CheckedOrganization } from '../check/questions.ts'
import { isRecoveryConflict, withSnapshot, type Session } from '../check/session.ts'
import { count, counted, duration } from '../plans/figures.ts'
import { readBase } from './base-definition.ts'
import { definitionError, findingError, withReportSession } from './report-session.ts'
import { chosenOrganizations, organizationsFile } from './organization.ts'
import { periodOf, refuseBrokenOrganizations, valuesOf } from './question.ts'
import { oracleFile, otherVersion, readOracle } from '../versions/other-version.ts'
import { tableOf, type ResultTable } from '../versions/result-table.ts'
import { tableDifferences } from '../versions/table-differences.ts'
import { reached } from './session.ts'
import { withDefinition } from './with-definition.ts'

export interface DiffOptions {
  /** A file or a commit. */
  readonly base: string
  /** Whether the base is the oracle beside the definition. */
  readonly oracle?: boolean | undefined
  /** Ids or nicknames; by default all organizations with a nickname. */
  readonly org?: readonly string[] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Values of parameters: `warehouse=12`. */
  readonly set?: readonly string[] | undefined
  readonly demo?: boolean | undefined
}

const PERIODS = [
  'this year',
  'last year',
  'next year',
  'twelve years',
  'five weeks',
  'one day',
] as const

/** Organizations and periods whose differences are printed. */
const MAX_SHOWN = 3

/** @returns 1 if results differ, or if none has data @throws CommandError */
export function diff(
  name: string,
  options: DiffOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  return withDefinition(
    name,
    options,
    environment,
    loaded => {
      if (options.from !== undefined || options.to !== undefined) periodOf(options, 'UTC')
      refuseBrokenOrganizations(loaded)
      valuesOf(options, loaded.definition)
      return readOther(options, loaded.definition, loaded.sqlDir)
    },
    async ({ definition, catalog, config }, base) => {
      if (base.source.text === definition.source.text) {
        await print(`equal, the same text as ${displayFile(base.file, config.sqlDir)}\n`)
        return EXIT.ok
      }
      const organizations = await orFindings(config.sqlDir, () =>
        organizationsOf(options, config, catalog),
      )
      const versions = [base, definition] as const
      const values = valuesOf(options, definition)
      const compared = await withReportSession(config, versions, client =>
        compareVersions(versions, organizations, values, config, client),
      ).catch((error: unknown) => {
        if (error instanceof CommandError) throw error
        return reached(() => Promise.reject(error))
      })
      const differing = compared.filter(({ differences }) => differences.length > 0)
      for (const { label, differences } of differing.slice(0, MAX_SHOWN))
        await print(differences.map(line => `${label}: ${line}\n`).join(''))
      const extent = `${counted(organizations.length, 'organization')} x ${counted(compared.length / organizations.length, 'period')}`
      const hasData = compared.some(one => one.hasData)
      const result =
        differing.length > 0
          ? `different in ${differing.length} of ${compared.length}`
          : `equal${hasData ? '' : ', without a row'}`
      await print(`${result}, ${costs(compared)}, ${extent}\n`)
      return differing.length === 0 && hasData ? EXIT.ok : EXIT.findings
    },
  )
}

/** @throws CommandError if there is none, or it does not load, has other columns or is a copied oracle */
async function readOther(
  { base, oracle: isOracle = false }: DiffOptions,
  definition: AnyDefinition,
  sqlDir: string,
): Promise<AnyDefinition> {
  const parent = resolve(dirname(sqlDir))
  const { definition: other, findings } = await withSqlParser(async parse => {
    if (!isOracle) return otherVersion(readBase(base, definition.file, parent), definition, parse)
    const oracle = await readOracle(definition, { parent, name: basename(sqlDir) }, parse)
    if (oracle !== undefined) return { ...oracle, findings: [...oracle.findings, ...oracle.copied] }
    const beside = displayFile(oracleFile(definition), sqlDir)
    throw new CommandError(
      EXIT.usage,
      `--oracle: there is no ${beside}, expected naive SQL for the same columns.`,
    )
  })
  if (other !== undefined) return other
  throw findingError(findings, sqlDir)
}

/** @throws CommandError if there are none */
async function organizationsOf(
  { org, from, to }: DiffOptions,
  config: Config,
  catalog: Catalog,
): Promise<CheckedOrganization[]> {
  const found = await chosenOrganizations(org, config, catalog)
  if (found.length === 0) {
    const file = organizationsFile(config, catalog)
    throw new CommandError(EXIT.usage, `No organization has a nickname in ${file}, expected --org.`)
  }
  if (from === undefined && to === undefined) return found
  return found.map(one => Object.assign(one, { period: periodOf({ from, to }, one.timeZone) }))
}

interface Compared {
  /** `organization business, this year` */
  readonly label: string
  readonly differences: readonly string[]
  readonly hasData: boolean
  /** Of the base and of the definition. */
  readonly costs: readonly [Cost, Cost]
}

interface Cost {
  readonly ms: Milliseconds
  readonly buffers: number
}

type Versions = readonly [base: AnyDefinition, definition: AnyDefinition]

async function compareVersions(
  versions: Versions,
  organizations: readonly CheckedOrganization[],
  values: ParameterValues,
  config: Config,
  client: DatabaseClient,
): Promise<Compared[]> {
  const compared: Compared[] = []
  const nowMs = Date.now()
  for (const organization of organizations) {
    for (const { bindings: asked, label } of questionsOf(organization, PERIODS, () => nowMs)) {
      const [base, own] = versions.map(version =>
        makeReportRequest<AnyDefinition>(
          organization,
          version,
          asked.period,
          nowMs,
          undefined,
          values,
        ),
      ) as [ReportRequest<AnyDefinition>, ReportRequest<AnyDefinition>]
      // why: in one snapshot, so that the product may write meanwhile
      const found = await withSnapshot(client, session => compareOnce([base, own], session, config))
      compared.push({ label, ...found })
    }
  }
  return compared
}

async function compareOnce(
  [base, own]: readonly [ReportRequest<AnyDefinition>, ReportRequest<AnyDefinition>],
  session: Session,
  config: Config,
): Promise<Omit<Compared, 'label'>> {
  const attempt = <T>(request: ReportRequest<AnyDefinition>, work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw isRecoveryConflict(error) ? error : definitionError(error, { request, config })
    })
  const execute = (request: ReportRequest<AnyDefinition>): Promise<ResultTable> => {
    const result = session.query(statementOf(request))
    const found = result.then(one => tableOf(request.definition, bindings(request), one))
    return attempt(request, found)
  }
  const costOf = (request: ReportRequest<AnyDefinition>): Promise<Cost> =>
    attempt(request, session.explain(statementOf(request)))
  const expected = await execute(base)
  const found = await execute(own)
  // why: in both orders, so that caches are fair
  const first = [await costOf(base), await costOf(own)] as const
  const second = [await costOf(own), await costOf(base)] as const
  return {
    differences: tableDifferences(expected, found),
    hasData: expected.hasData || found.hasData,
    costs: [faster(first[0], second[1]), faster(first[1], second[0])],
  }
}

function faster(one: Cost, other: Cost): Cost {
  return one.ms < other.ms ? one : other
}

/** `3.1 times faster (120 ms / 37 ms; 8,100 / 900 buffers)` */
function costs(compared: readonly Compared[]): string {
  const [base, own] = [0, 1].map(at => ({
    ms: compared.reduce((sum, one) => sum + one.costs[at]!.ms, 0),
    buffers: compared.reduce((sum, one) => sum + one.costs[at]!.buffers, 0),
  })) as [Cost, Cost]
  const ratio = base.ms / own.ms
  const speed =
    ratio >= 1.05
      ? `${ratio.toFixed(1)} times faster`
      : ratio > 0.95
        ? 'as fast'
        : `${(1 / ratio).toFixed(1)} times slower`
  return `${speed} (${duration(base.ms)} / ${duration(own.ms)}; ${count(base.buffers)} / ${count(own.buffers)} buffers)`
}
