// Clients without a valid key: they may cost those who have one next to nothing.
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryBytes, peakMemoryBytes } from '../bench/process-figures.ts'
import type { Make, Recorded } from '../harness/client.ts'
import { atMost, exactly, none, said } from '../harness/figures.ts'
import type { Figure } from '../harness/figures.ts'
import type { Gateway } from '../harness/gateway.ts'
import { fresh, isOk, slowest } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import type { Stage } from '../harness/stage.ts'
import { BYSTANDER, besideAttack } from './bystander.ts'
import { othersThan, startStrangers } from './generate.ts'
import { atRest } from './rest.ts'

const KEY_OF_A = 'X-Api-Key: key of organization 1\r\n'
const ping: Make = () => ({ report: 'ping', organization: BYSTANDER })

interface Siege {
  readonly gateway: Gateway
  readonly sockets: readonly Socket[]
  /** Ms since the connections were opened. */
  readonly since: () => number
  /** Every second, until faults are undone. */
  readonly everySecond: (work: () => void) => void
  /** B asks in turn for as long as that. */
  readonly askWhile: (isGoingOn: () => boolean | Promise<boolean>, make?: Make) => Promise<void>
  /** How B fared, the most memory beyond that at the start, and what is left at the end. */
  readonly figures: (slowestMs: number, mostMiB?: number) => Promise<Figure[]>
}

/** So many connections that are opened at once; each is destroyed at the end of the scenario at the latest. */
async function besiege(
  stage: Stage,
  connections: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Siege> {
  stage.hasOtherClients = true
  const gateway = await stage.gateway(settings)
  await gateway.askMany(50, 2, ping)
  const memoryBefore = memoryBytes(gateway.pid)
  const { port } = new URL(gateway.url)
  const sockets = Array.from({ length: connections }, () => connect(Number(port), '127.0.0.1'))
  stage.undo(() => sockets.forEach(socket => void socket.destroy()))
  await Promise.all(
    sockets.map(
      socket =>
        new Promise(resolve => {
          socket.on('error', () => undefined)
          socket.once('connect', resolve).once('close', resolve)
        }),
    ),
  )
  const from = performance.now()
  const responses: Recorded[] = []
  return {
    gateway,
    sockets,
    since: () => performance.now() - from,
    everySecond(work) {
      const timer = setInterval(work, 1000)
      stage.undo(() => clearInterval(timer))
    },
    async askWhile(isGoingOn, make = ping) {
      for (let at = 0; await isGoingOn(); at += 1) {
        responses.push(await gateway.ask(make(at)))
        await sleep(100)
      }
    },
    async figures(slowestMs, mostMiB) {
      const peak = (peakMemoryBytes(gateway.pid) - memoryBefore) / 2 ** 20
      return [
        ...(mostMiB === undefined ? [] : [atMost('most memory grown', peak, mostMiB, 'MiB')]),
        none('a valid key meanwhile, failures', responses, response => !isOk(response)),
        atMost('its slowest response', slowest(responses), slowestMs, 'ms'),
        ...(await atRest(gateway)),
      ]
    },
  }
}

export const strangers: readonly Scenario[] = [
  {
    name: 'A20 random-keys',
    hypothesis:
      '10,000 random keys a second beside a valid one: its p99 is at most 3x of that when quiet',
    async run(stage) {
      const gateway = await stage.gateway()
      const job = { url: gateway.url, perSecond: 10_000, connections: 100 }
      const options = { ask: ping, perSecond: 40, limits: { p99: 3 } }
      const begin = () => startStrangers(stage, job)
      const { figures, report, seconds } = await besideAttack(stage, gateway, begin, options)
      return [
        ...figures,
        said('responses 401 a second', (report.outcomes['401'] ?? 0) / seconds),
        exactly(`strangers' other than 401`, othersThan(report, ['401', 'closed']), 0),
      ]
    },
  },
  {
    name: 'A22 slow-headers',
    hypothesis:
      '500 connections that send a byte of a header a second are closed within 15 s, and cost others nothing',
    async run(stage) {
      const { sockets, since, everySecond, askWhile, figures } = await besiege(stage, 500)
      const closedAfter: number[] = []
      for (const socket of sockets) {
        socket.resume().once('close', () => closedAfter.push(since() / 1000))
        socket.write('GET /api/public/v1/ping HTTP/1.1\r\nHost: a\r\nX-Filler: ')
      }
      everySecond(() => {
        for (const socket of sockets) if (socket.writable) socket.write('x')
      })
      await askWhile(() => closedAfter.length < sockets.length && since() < 30_000)
      return [
        exactly('closed', closedAfter.length, sockets.length),
        atMost('the last after', Math.max(...closedAfter), 15, 's'),
        ...(await figures(1000)),
      ]
    },
  },
  {
    name: 'A23 slow-readers',
    hypothesis:
      '40 readers of 1 byte a second of streamed reports are given up after STALL_TIMEOUT, and hold neither a slot nor memory',
    async run(stage) {
      const settings = { STALL_TIMEOUT: '5s', REPORT_POOL_SIZE: '4' }
      const siege = await besiege(stage, 40, settings)
      const { gateway, sockets, since, everySecond, askWhile, figures } = siege
      for (const [at, socket] of sockets.entries()) {
        const day = `19${10 + at}-01-01`
        const path = `/api/public/v1/reports/large?from=${day}&to=${day}`
        socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${KEY_OF_A}\r\n`)
      }
      everySecond(() => {
        for (const socket of sockets) socket.read(1)
      })
      await gateway.inFlight(sockets.length)
      const left = (): Promise<number> => gateway.total('svodka_http_requests_in_flight')
      await askWhile(async () => (await left()) > 0 && since() < 90_000, fresh('nap', BYSTANDER))
      return [
        atMost('given up after', since() / 1000, 80, 's'),
        exactly('left', await left(), 0),
        ...(await figures(5000, 128)),
      ]
    },
  },
]
