/** What an author asks: a definition, for an organization, over a period, of a database. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import { createSystemClock } from '../../model/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { parsePeriod } from '../../definitions/period.ts'
import { Problem } from '../../model/errors.ts'
import { makeReportRequest, type ReportRequest } from '../../serve/body/report-request.ts'
import type { Clock, Period } from '../../model/terms.ts'
import { needDatabases, type Databases } from './databases.ts'
import { definitionNamed } from './definitions-named.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import { loadWhatLoads, readAuthorSettings } from './load-what-loads.ts'
import { findOrganization } from './organization.ts'
import { whomOf, type WhomOptions } from './whom.ts'

export interface QuestionOptions extends WhomOptions {
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Start the demo's servers where no database is known. */
  readonly demo?: boolean | undefined
}

export interface Question {
  readonly request: ReportRequest<AnyDefinition>
  readonly config: Config
  readonly catalog: Catalog
  readonly databases: Databases
  readonly now: Clock
}

/**
 * Finds all that a question needs, answers it, and closes what was opened.
 * @throws CommandError where something is missing.
 */
export async function withQuestion(
  name: string,
  options: QuestionOptions,
  environment: NodeJS.ProcessEnv,
  answer: (question: Question) => Promise<number>,
): Promise<number> {
  const now = createSystemClock()
  // Before the database: it should not take long to hear that something is misspelt.
  const whom = whomOf(options)
  refuseMisspelt(options, now)
  const loaded = loadWhatLoads(environment)
  const { catalog } = loaded
  const definition = definitionNamed(name, loaded)
  const databases = await needDatabases(environment, options)
  try {
    const config = readAuthorSettings(databases.environment)
    const organization = await findOrganization(whom, config, catalog)
    const period = periodOf(options, now, organization.timeZone)
    const request = makeReportRequest(organization, definition, period, now)
    return await answer({ request, config, catalog, databases, now })
  } finally {
    await databases.close()
  }
}

/** As far as that can be told without the organization's time zone. */
function refuseMisspelt({ from, to }: QuestionOptions, now: Clock): void {
  periodOf({ from, to: '2999-12-31' }, now, 'UTC')
  periodOf({ from: '1900-01-01', to }, now, 'UTC')
  const areDays = from !== undefined && to !== undefined && !/t/i.test(from + to)
  if (areDays) periodOf({ from, to }, now, 'UTC')
}

/** @throws CommandError as the API's `bad_range` says it. */
function periodOf(
  { from, to }: Pick<QuestionOptions, 'from' | 'to'>,
  now: Clock,
  timeZone: string,
): Period {
  try {
    return parsePeriod({ from, to }, now(), timeZone)
  } catch (error) {
    if (error instanceof Problem) throw new CommandError(EXIT.usage, error.detail.en)
    throw error
  }
}
