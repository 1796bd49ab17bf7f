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
  return `${title}\n\n${text}`
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
    plan: raw,
  }
  return `${JSON.stringify(body, undefined, 2)}\n`
}
