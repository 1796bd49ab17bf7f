/** Errors of the API. */
import { TEXTS } from './texts.ts'

export interface ProblemFields {
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly requestId?: string
}

/** An error of the API, or one of the network (`code` is `offline`). */
export class ApiProblem extends Error {
  readonly fields: ProblemFields
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(fields: ProblemFields, status = 0, retryAfterSeconds?: number) {
    super(fields.title)
    this.fields = fields
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** @param detail what the browser says */
export function offline(detail: unknown): ApiProblem {
  return new ApiProblem({ code: 'offline', title: TEXTS.offline, detail: String(detail) })
}
