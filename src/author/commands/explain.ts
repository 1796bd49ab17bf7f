/** `svodka explain CODE`: what PostgreSQL does to answer a definition, and what a person should look at first. */
import { writeFileSync } from 'node:fs'
import type { ClientBase } from 'pg'
import { explainStatement } from '../plans/explain.ts'
import { linesOf } from '../plans/lines.ts'
import { MissingPev2, planPage } from '../plans/page.ts'
import type { PlanPage } from '../plans/page.ts'
import type { Plan } from '../plans/plan.ts'
import type { Suspect } from '../plans/suspect.ts'
import { suspectsOf } from '../plans/suspects.ts'
import { tableSizes } from '../plans/table-sizes.ts'
import { within } from '../../serve/replica/connection.ts'
import { statementOf } from '../../serve/body/report-request.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { definitionError } from './definition-error.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import { explainedJson, explainedText, titleOf } from './explained.ts'
import { print } from '../../serve/command-line/output.ts'
import { withQuestion } from './question.ts'
import type { QuestionOptions } from './question.ts'
import { withSession } from './session.ts'

export interface ExplainOptions extends QuestionOptions {
  readonly json?: boolean | undefined
  /** A file for the page with the drawn plan. */
  readonly html?: string | undefined
}

/** @returns 0, whatever the plan is like: `check` judges. @throws CommandError */
export function explain(
  name: string,
  options: ExplainOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  return withQuestion(name, options, environment, async question => {
    const { request, now, databases } = question
    const { definition } = request
    const run = statementOf(request, now)
    const seen = await withSession(question.config, client =>
      look(client, run).catch((error: unknown) => {
        throw definitionError(error, question)
      }),
    )
    const lines = linesOf(seen.plan, definition.source.text)
    const explained = {
      request,
      title: titleOf(request, options.org),
      where: databases.where,
      sqlDir: question.config.sqlDir,
      plan: seen.plan,
      suspects: seen.suspects.map(suspect => ({
        suspect,
        line: (suspect.call && lines.ofCall(suspect.call)) ?? lines.ofNode(suspect.node),
      })),
    }
    if (options.html !== undefined) {
      writePage(options.html, { title: explained.title, plan: seen.plan.raw, query: run.text })
    }
    await print(
      options.json === true ? explainedJson(explained) : explainedText(explained, environment),
    )
    return EXIT.ok
  })
}

interface Run {
  readonly text: string
  readonly values: readonly string[]
  readonly timeoutMs: Milliseconds
}

/** A server that has not ended the statement by then has gone. */
const GRACE_MS: Milliseconds = 2000

/**
 * Run as the gateway does: on such a session, within the definition's time. Once to warm, then once that counts.
 * In a transaction, so that a pooler's connection is left as it was.
 */
async function look(
  client: ClientBase,
  { text, values, timeoutMs }: Run,
): Promise<{ readonly plan: Plan; readonly suspects: readonly Suspect[] }> {
  const ask = <T>(what: () => Promise<T>) => within(timeoutMs + GRACE_MS, client, what)
  await ask(() => client.query('begin read only'))
  await ask(() => client.query(LIMIT_TIME, [timeoutMs]))
  await ask(() => explainStatement(client, text, values))
  const plan = await ask(() => explainStatement(client, text, values))
  const sizes = await ask(() => tableSizes(client, plan))
  return { plan, suspects: suspectsOf(plan, sizes) }
}

/** A shorter time of the role's own stays. */
const LIMIT_TIME = `
  select set_config('statement_timeout', least(nullif(setting::integer, 0), $1::integer)::text, true)
  from pg_settings
  where name = 'statement_timeout'`

function writePage(path: string, page: PlanPage): void {
  try {
    writeFileSync(path, planPage(page))
  } catch (error) {
    if (error instanceof MissingPev2) throw new CommandError(EXIT.environment, error.message)
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(
      EXIT.usage,
      `--html is "${path}", which cannot be written (${code}): expected a file in a folder that is there.`,
    )
  }
  process.stderr.write(`Wrote ${path}: open it in a browser, it needs no network\n`)
}
