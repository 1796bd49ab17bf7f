/** The output of `svodka explain`, as text or JSON. */
import { inclusiveDates } from '../../definitions/calendar.ts'
import type { ReportRequest } from '../../serve/report/report-request.ts'
import { describePlan } from '../plans/describe.ts'
import { buffersPerThousandRows, type Plan } from '../plans/plan.ts'

export interface Explanation {
  readonly request: ReportRequest
  readonly plan: Plan
}

/** @param title `profit_loss for business, 2026-01-01 to 2026-12-31, on the demo's standby` */
export function explanationText({ request, plan }: Explanation, title: string): string {
  const { isTTY, columns } = process.stdout
  const text = describePlan(plan, {
    colour: isTTY && process.stdout.hasColors(),
    budget: request.definition.budget?.buffersPerThousandRows,
    // why: output to a file or a pipe is not truncated
    width: isTTY && columns > 0 ? columns : Infinity,
  })
  const { fence } = request.definition.source
  const fenced =
    fence === undefined
      ? ''
      : `fence      line ${fence.line}: ${fence.what} may fail on a row of another organization, so rows of children are selected first: twice the buffers in the mean, up to 34 times. To avoid it, move it to the select list of the whole statement, or give the table a column of the organization.\n`
  return `${title}\n\n${fenced}${text}`
}

export function explanationJson({ request, plan }: Explanation): string {
  const { definition, organization, period } = request
  const { ms, planningMs, buffers, baseRows, spilledBlocks, raw } = plan
  const body = {
    code: definition.name,
    organization: organization.id,
    period: inclusiveDates(period),
    ms,
    planningMs,
    buffers,
    baseRows,
    buffersPerThousandRows: Number(buffersPerThousandRows(plan).toFixed(1)),
    spilledBlocks,
    fence: definition.source.fence,
    plan: raw,
  }
  return `${JSON.stringify(body, undefined, 2)}\n`
}
