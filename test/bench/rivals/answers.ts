// Before anything is timed: the rival's answers are those of the gateway.
import { strict as assert } from 'node:assert'
import type { Gateway } from '../gateway.ts'
import type { LoadRequest } from '../wrk.ts'
import { gatewayRequest, type Question } from './questions.ts'
import type { Rival } from './rival.ts'

export type Fields = Readonly<Record<string, unknown>>

export interface GatewayAnswer {
  readonly columns: readonly { readonly key: string; readonly type: string }[]
  readonly rows: readonly Fields[]
  readonly totals: Fields
}

/** @throws Error naming the question that is answered differently, and where. */
export async function compareAnswers(
  gateway: Gateway,
  rival: Rival,
  questions: readonly Question[],
): Promise<void> {
  for (const question of questions) {
    const ours = (await ask(gateway.url, gatewayRequest(question, true))) as GatewayAnswer
    const theirs = await ask(rival.url, rival.request(question))
    assert.ok(ours.rows.length > 0, `${named(question)} has no rows`)
    try {
      rival.compare(question, theirs, ours)
    } catch (cause) {
      const said = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`${named(question)} is answered differently: ${said.slice(0, 600)}`, {
        cause,
      })
    }
  }
}

/** The JSON of an answer. @throws Error unless it is 200. */
export async function ask(url: string, { path, headers, body }: LoadRequest): Promise<unknown> {
  const posted = body === undefined ? {} : { method: 'POST', body }
  const answer = await fetch(`${url}${path}`, { headers, ...posted })
  const text = await answer.text()
  if (answer.status !== 200)
    throw new Error(`${url} answers ${answer.status}: ${text.slice(0, 600)}`)
  return JSON.parse(text)
}

/** A sum of kopecks, whether they came as numbers or as texts. */
export function sumOf(rows: readonly Fields[], name: string): bigint {
  return rows.reduce((sum, row) => sum + BigInt(String(row[name])), 0n)
}

function named({ report, organization, from, to }: Question): string {
  return `${report} of ${organization.name} from ${from} to ${to}`
}
