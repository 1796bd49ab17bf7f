/** Facts of the usual kind, to vary. */
import type { Observation } from '../../src/observation.ts'

type Fact<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>

export function request(fields: Partial<Fact<'request'>>): Fact<'request'> {
  return {
    kind: 'request',
    requestId: 'r-1',
    method: 'GET',
    route: 'report',
    report: 'profit_loss',
    status: 200,
    problem: undefined,
    cause: undefined,
    cache: undefined,
    format: undefined,
    durationMs: 1,
    sentBytes: 10,
    shortcut: false,
    aborted: false,
    organizationId: 'o-1',
    ...fields,
  }
}

export function run(fields: Partial<Fact<'run'>>): Fact<'run'> {
  return {
    kind: 'run',
    plan: 'own',
    definition: 'profit_loss',
    outcome: 'ok',
    queueMs: 0,
    durationMs: 1,
    rowCount: 1,
    error: undefined,
    ...fields,
  }
}
