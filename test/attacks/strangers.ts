// Clients without a valid key, and clients that hardly read, must cost others almost nothing.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Limits } from '../../src/config/limits.ts'
import { memoryBytes, peakMemoryBytes } from '../harness/process-figures.ts'
import type { Make, Recorded } from '../harness/client.ts'
import { atMost, exactly, none, said, type Figure } from '../harness/figures.ts'
import type { Gateway } from '../harness/scenario-gateway.ts'
import { fresh, isOk, slowest } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Stage } from '../harness/stage.ts'
import { BYSTANDER, besideAttack } from './bystander.ts'
import { othersThan, startPings } from './generate.ts'
import { atRest } from './rest.ts'

const ping: Make = () => ({ report: 'ping', organization: BYSTANDER })

interface Siege {
  readonly connections: number
  /** First bytes of each connection. */
  readonly first: (at: number) => string
  /** Called for each connection every second. */
  readonly everySecond: (socket: Socket) => void
  /** Whether the gateway has closed all of them. */
  readonly isOver: (sockets: readonly Socket[], gateway: Gateway) => boolean | Promise<boolean>
  readonly longestMs: number
  readonly settings?: Readonly<Record<string, string>>
  readonly limits?: Partial<Limits>
  /** Requests of B meanwhile. */
  readonly ask: Make
}

/** @returns figures: the duration, B's responses, the growth to peak memory, and the state at rest. */
async function besiege(stage: Stage, siege: Siege): Promise<Figure[]> {
  stage.hasOtherClients = true
  const gateway = await stage.gateway(siege.settings, {}, { limits: siege.limits ?? {} })
  await gateway.askMany(50, 2, ping)
  const memoryBefore = memoryBytes(gateway.pid)
  const from = performance.now()
  const sockets = Array.from({ length: siege.connections }, (_, at) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.on('error', () => undefined).write(siege.first(at))
    return socket
  })
  const timer = setInterval(() => sockets.forEach(siege.everySecond), 1000)
  stage.undo(() => clearInterval(timer))
  stage.undo(() => sockets.forEach(socket => void socket.destroy()))
  await sleep(1000)
  const responses: Recorded[] = []
  let isOver = false
  while (!isOver && performance.now() - from < siege.longestMs) {
    responses.push(await gateway.ask(siege.ask(responses.length)))
    isOver = await siege.isOver(sockets, gateway)
    await sleep(100)
  }
  const seconds = (performance.now() - from) / 1000
  const peak = (peakMemoryBytes(gateway.pid) - memoryBefore) / 2 ** 20
  return [
    atMost('all are closed after', isOver ? seconds : Number.NaN, siege.longestMs / 1000, 's'),
    none('failures of a valid key meanwhile', responses, response => !isOk(response)),
    atMost('its slowest response', slowest(responses), 5000, 'ms'),
    atMost('growth to peak memory', peak, 128, 'MiB'),
    ...(await atRest(gateway)),
  ]
}

export const strangers: readonly Scenario[] = [
  {
    name: 'A20 random-keys',
    hypothesis:
      'Beside 10,000 requests a second, the times of a valid key are at most doubled if their keys are random',
    async run(stage) {
      const gateway = await stage.gateway()
      const job = { url: gateway.url, perSecond: 10_000, clients: 200 }
      const { figures, report, seconds } = await besideAttack(
        stage,
        gateway,
        () => startPings(stage, job),
        {
          ask: ping,
          perSecond: 40,
          // why: both cores are busy in both phases, so that the figures are of the gateway's order of work alone
          compared: {
            when: 'beside another customer',
            begin: () => startPings(stage, { ...job, key: 'key of organization 1' }),
          },
          limits: { p50: 2, p99: 2 },
        },
      )
      return [
        ...figures,
        said('responses 401 a second', (report.outcomes['401'] ?? 0) / seconds),
        exactly(`strangers' responses other than 401`, othersThan(report, ['401', 'closed']), 0),
      ]
    },
  },
  {
    name: 'A21 many-headers',
    hypothesis:
      '1,000 requests a second with 3,000 headers each get 431, and cost a valid key little more than those with 90',
    async run(stage) {
      const gateway = await stage.gateway()
      const job = { url: gateway.url, perSecond: 1000, clients: 200 }
      const { figures, report } = await besideAttack(
        stage,
        gateway,
        () => startPings(stage, { ...job, headers: 3000 }),
        {
          ask: ping,
          perSecond: 40,
          compared: {
            when: 'beside requests with 90 headers',
            begin: () => startPings(stage, { ...job, headers: 90 }),
          },
        },
      )
      return [
        ...figures,
        exactly(`strangers' responses other than 431`, othersThan(report, ['431', 'closed']), 0),
      ]
    },
  },
  {
    name: 'A22 slow-headers',
    hypothesis:
      '500 connections that send one header byte a second are closed within 15 s, and cost others nothing',
    run: stage =>
      besiege(stage, {
        connections: 500,
        first: () => 'GET /api/public/v1/ping HTTP/1.1\r\nHost: a\r\nX-Filler: ',
        // why: a socket that is not read does not report that it was closed
        everySecond: socket => void (socket.resume().writable && socket.write('x')),
        isOver: sockets => sockets.every(({ closed }) => closed),
        longestMs: 15_000,
        ask: ping,
      }),
  },
  {
    name: 'A23 slow-readers',
    hypothesis:
      '40 readers of 1 byte a second of large reports in files are disconnected after 5 s, and hold neither a slot nor memory',
    run: stage =>
      besiege(stage, {
        connections: 40,
        first: at =>
          `GET /api/public/v1/reports/large?from=19${10 + at}-01-01&to=19${10 + at}-01-01 HTTP/1.1\r\n` +
          'Host: a\r\nX-Api-Key: key of organization 1\r\n\r\n',
        everySecond: socket => void socket.read(1),
        isOver: async (_, gateway) => (await gateway.total('svodka_http_requests_in_flight')) === 0,
        longestMs: 80_000,
        settings: { REPORT_POOL_SIZE: '4' },
        limits: { stallTimeoutMs: 5000 },
        ask: fresh('nap', BYSTANDER),
      }),
  },
]
