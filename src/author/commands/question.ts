/** The input of `run` and `explain`: a definition, an organization, a period and a database. */
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import type { Config } from '../../config/config.ts'
import type { ParameterValues } from '../../definitions/definition.ts'
import { valuesFor } from '../../definitions/parameter-values.ts'
import { parsePeriod } from '../../definitions/period.ts'
import { suggest } from '../../model/spelling.ts'
import { inEnglish, Problem } from '../../model/errors.ts'
import type { Reader } from '../../serve/access/access-rows.ts'
import { makeReportRequest, type ReportRequest } from '../../serve/report/report-request.ts'
import type { Period, ReportFormat } from '../../model/terms.ts'
import type { Databases } from './databases.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { orFindings } from '../../command/load-all.ts'
import { organizationNamed, organizationOfKey, readKeyOption } from './organization.ts'
import type { OrganizationOptions } from './organization.ts'
import { withDefinition } from './with-definition.ts'

/** Of the commands that execute definitions. */
export interface ExecutionOptions {
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Values of parameters: `warehouse=12`. */
  readonly set?: readonly string[] | undefined
  /** Use the demo database; start it if necessary. */
  readonly demo?: boolean | undefined
}

export interface QuestionOptions extends ExecutionOptions, OrganizationOptions {
  /** For reports only. */
  readonly format?: ReportFormat | undefined
}

export interface CommandQuestion {
  readonly request: ReportRequest<AnyDefinition>
  readonly config: Config
  readonly databases: Databases
}

/**
 * Finds the inputs, calls `answer`, and closes the databases.
 * @throws CommandError if an input is missing.
 */
export async function withQuestion(
  name: string,
  options: QuestionOptions,
  environment: NodeJS.ProcessEnv,
  answer: (question: CommandQuestion) => Promise<number>,
): Promise<number> {
  // why: misspelt arguments are reported before a demo is started
  const key = readKeyOption(options)
  const { org = '', from = '1900-01-01', to = '2999-12-31' } = options
  // why: the default dates depend on the organization's time zone
  periodOf({ from, to }, 'UTC')
  return withDefinition(
    name,
    options,
    environment,
    loaded => {
      if (options.format !== undefined && !isReport(loaded.definition)) {
        throw new CommandError(
          EXIT.usage,
          `${name} is a file of metrics, and --format is for reports only. Use --json.`,
        )
      }
      if (key === undefined) valuesOf(options, loaded.definition)
    },
    async ({ definition: whole, catalog, sqlDir, config, databases }) => {
      const [organization, definition] = await orFindings(sqlDir, async () => {
        if (key === undefined)
          return [await organizationNamed(org, config, catalog), whole] as const
        const reader = await organizationOfKey(key, config, catalog)
        return [reader, readable(whole, reader)] as const
      })
      const period = periodOf(options, organization.timeZone)
      const values = valuesOf(options, definition)
      const request = makeReportRequest(
        organization,
        definition,
        period,
        Date.now(),
        undefined,
        values,
      )
      return answer({ request, config, databases })
    },
  )
}

/** What the API has of a definition for a key, with the values that it fixes. @throws CommandError if that is nothing */
function readable(definition: AnyDefinition, { catalog }: Reader): AnyDefinition {
  const { name } = definition
  const own = [...catalog.metrics.values()].filter(({ file }) => file.name === name)
  const metrics = own.map(({ metric }) => metric)
  const found = isReport(definition)
    ? catalog.reports.get(definition.code)
    : own[0] && { ...own[0].file, metrics }
  if (found !== undefined) return found
  throw new CommandError(EXIT.usage, `The key may not read ${name}: the API responds 403.`)
}

/** @throws CommandError with the message of the API's `bad_range`. */
export function periodOf(
  { from, to }: Pick<QuestionOptions, 'from' | 'to'>,
  timeZone: string,
): Period {
  return orUsage(() => parsePeriod({ from, to }, Date.now(), timeZone))
}

/** @throws CommandError for a parameter that the definition does not declare, or a value that it does not take */
export function valuesOf(
  { set = [] }: Pick<QuestionOptions, 'set'>,
  { name, parameters }: AnyDefinition,
): ParameterValues {
  const given: Record<string, string> = {}
  for (const one of set) {
    const [, parameter = '', value = ''] = /^([^=]*)=(.*)$/s.exec(one) ?? [one, one]
    const known = parameters.map(declared => declared.name)
    const isKnown = known.includes(parameter)
    const expected = isKnown ? 'expected' : `${suggest(parameter, known)}, as`
    if (!isKnown || !one.includes('='))
      throw new CommandError(
        EXIT.usage,
        `--set ${one}: found no parameter of ${name} with a value, ${expected} --set ${isKnown ? parameter : 'name'}=value`,
      )
    given[parameter] = value
  }
  return orUsage(() => valuesFor(parameters, given))
}

/** @throws CommandError with the message of a Problem */
function orUsage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Problem) throw new CommandError(EXIT.usage, inEnglish(error.detail))
    throw error
  }
}
