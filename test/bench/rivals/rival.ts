// Another server that answers the same from the same data, and what is asked of it.
import type { Bench } from '../bench.ts'
import type { ServerProcess } from '../server-process.ts'
import type { LoadRequest } from '../wrk.ts'
import type { GatewayAnswer } from './answers.ts'
import type { Question } from './questions.ts'

export interface Rival {
  readonly server: ServerProcess
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  request(question: Question): LoadRequest
  /** @param answer its JSON. @throws Error where it is not what the gateway answers. */
  compare(question: Question, answer: unknown, ours: GatewayAnswer): void
  /** Ends it, and takes what it needed out of the database. May be called again. */
  stop(): Promise<void>
}

export interface RivalKind {
  readonly name: string
  /** What it does less, or differently: for the small print. */
  readonly note: string
  /** @throws Missing where it cannot be had. */
  start(bench: Bench, questions: readonly Question[]): Promise<Rival>
}
