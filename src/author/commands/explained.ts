/** How `svodka explain` tells what it has seen: to a person, or to a machine. */
import { addDays } from '../../definitions/calendar.ts'
import { describePlan } from '../plans/describe.ts'
import { buffersPerThousandRows } from '../plans/plan.ts'
import type { Plan } from '../plans/plan.ts'
import type { Suspect } from '../plans/suspect.ts'
import type { ReportRequest } from '../../serve/body/report-request.ts'
import { shownFile } from '../../serve/command-line/shown-path.ts'

export interface Explained {
  readonly request: ReportRequest
  readonly title: string
  readonly where: string
  /** `SQL_DIR` */
  readonly sqlDir: string
  readonly plan: Plan
  /** With the line of the definition's file; undefined where that cannot be told. */
  readonly suspects: readonly { readonly suspect: Suspect; readonly line: number | undefined }[]
}

/** `profit_loss for business, 2026-01-01 to 2026-12-31`. */
export function titleOf(
  { definition, organization, period }: ReportRequest,
  nickname: string | undefined,
): string {
  const last = addDays(period.end, -1)
  return `${definition.name} for ${nickname ?? organization.id}, ${period.start} to ${last}`
}

export function explainedText(
  { request, title, where, sqlDir, plan, suspects }: Explained,
  environment: NodeJS.ProcessEnv,
): string {
  const { budget } = request.definition
  const file = shownFile(request.definition.file, sqlDir)
  const { isTTY, columns } = process.stdout
  const isPlain = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb'
  const lines = new Map(suspects.map(({ suspect, line }) => [suspect, line]))
  const text = describePlan(plan, [...lines.keys()], {
    colour: isTTY && !isPlain,
    budget: budget?.buffersPerThousandRows,
    // why: what goes into a file or a pipe is not cut
    width: isTTY && columns > 0 ? columns : Infinity,
    placeOf: suspect => {
      const line = lines.get(suspect)
      return line === undefined ? file : `${file}:${line}`
    },
  })
  return `${title}, on ${where}\n\n${text}`
}

export function explainedJson({ request, sqlDir, plan, suspects }: Explained): string {
  const { definition, organization, period } = request
  const { ms, planningMs, buffers, baseRows, spilledBlocks } = plan
  const body = {
    code: definition.name,
    organization: organization.id,
    period: { from: period.start, to: addDays(period.end, -1) },
    ms,
    planningMs,
    buffers,
    baseRows,
    buffersPerThousandRows: Number(buffersPerThousandRows(plan).toFixed(1)),
    spilledBlocks,
    suspects: suspects.map(({ suspect: { kind, message }, line = null }) => ({
      kind,
      message,
      file: shownFile(definition.file, sqlDir),
      line,
    })),
    plan: plan.raw,
  }
  return `${JSON.stringify(body, undefined, 2)}\n`
}
