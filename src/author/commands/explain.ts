/** `svodka explain CODE`: shows the plan of a definition. */
import { describeFinding, findingsOf } from '../../definitions/findings.ts'
import { inclusiveDates } from '../../definitions/calendar.ts'
import { withSnapshot } from '../check/session.ts'
import { explainStatement, explainText } from '../plans/explain.ts'
import { count, counted } from '../plans/figures.ts'
import { firstLooks } from '../plans/first-looks.ts'
import { buffersPerThousandRows } from '../plans/plan.ts'
import type { DatabaseClient } from '../../serve/database/database-client.ts'
import { statementOf } from '../../serve/report/report-request.ts'
import { askReplica } from './report-session.ts'
import { EXIT } from '../../model/command-error.ts'
import { displayFinding, print, printLine } from '../../command/output.ts'
import { withQuestion, type QuestionOptions } from './question.ts'

export interface ExplainCommandOptions extends QuestionOptions {
  readonly json?: boolean | undefined
}

/** @returns 0 for any plan: `check` compares it with the budget. @throws CommandError */
export function explain(
  name: string,
  options: ExplainCommandOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  return withQuestion(name, options, environment, async question => {
    const { request, databases, config } = question
    const { definition, organization, period } = request
    const statement = statementOf(request)
    // why: before the execution, which may time out because of them
    for (const note of findingsOf(definition.file, definition.source.notes))
      printLine(`Note: ${describeFinding(displayFinding(note, config.sqlDir))}`)
    const { plan, text } = await askReplica(question, client =>
      explainWarm(client, statement, options),
    )
    const { ms, buffers, baseRows, spilledBlocks, raw } = plan
    const per = Number(buffersPerThousandRows(plan).toFixed(1))
    const looks = firstLooks(plan)
    const figures = { ms, buffers, baseRows, buffersPerThousandRows: per, spilledBlocks }
    if (options.json === true) {
      const { name: code } = definition
      const of = { code, organization: organization.id, period: inclusiveDates(period) }
      await print(`${JSON.stringify({ ...of, ...figures, looks, plan: raw }, undefined, 2)}\n`)
      return EXIT.ok
    }
    const { from, to } = inclusiveDates(period)
    const title = `${definition.name} for ${options.org ?? organization.id}, ${from} to ${to}, on ${databases.where}`
    const budget = definition.budget?.buffersPerThousandRows
    const limit = budget === undefined ? '' : `, of ${budget} in the budget`
    const cost = `${count(buffers)} buffers for ${counted(baseRows, 'row')} of tables: ${per} per thousand${limit}`
    const lines = looks.map(look => `  ${look}`)
    await print(`${[title, '', text, '', cost, 'Look first at', ...lines].join('\n')}\n`)
    return EXIT.ok
  })
}

/**
 * Executes the statement in the same kind of session as the gateway and within the definition's timeout: once to warm
 * caches, then to measure, then for the text.
 */
function explainWarm(
  client: DatabaseClient,
  { text, values, timeoutMs }: ReturnType<typeof statementOf>,
  { json = false }: ExplainCommandOptions,
) {
  return withSnapshot(client, async session => {
    // why: its timeout is that of the others, too
    await session.query({ text, values, timeoutMs })
    const plan = await explainStatement(client, text, values, { timing: true })
    return { plan, text: json ? '' : await explainText(client, text, values) }
  })
}
