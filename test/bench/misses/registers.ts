// Registers of 100, 10,000 and 200,000 rows, run for every request, against what PostgreSQL alone takes for them.
import type { Bench } from '../bench.ts'
import { startGateway } from '../gateway.ts'
import type { BenchName } from '../product.ts'
import { ratioRow } from '../ratio-row.ts'
import { interleaved, roundsOf } from '../rounds.ts'
import type { Row } from '../row.ts'
import { median } from '../statistics.ts'
import { checkAnswer, checkObjects } from './answers.ts'
import { portOf, startAsker } from './ask.ts'
import { fasterFloor, floorOf, floorsOf, ofGateway, timed } from './contenders.ts'
import type { Measured, Stage } from './contenders.ts'
import { startObjectsServer } from './objects.ts'
import { lookupOf, subjectOf } from './subject.ts'
import type { Subject } from './subject.ts'

const REGISTER = 'operations'

/** @returns the rows of the table, from one gateway. */
export async function registerRows(bench: Bench): Promise<Row[]> {
  const stage = { gateway: await startGateway(bench), asker: startAsker(bench) }
  const rows = [
    ...(await smallRegister(bench, stage)),
    ...(await middlingRegister(bench, stage)),
    ...(bench.quick ? [] : await largeRegister(bench, stage)),
  ]
  await stage.gateway.stop()
  return rows
}

async function smallRegister(bench: Bench, stage: Stage): Promise<Row[]> {
  const { subject } = await checked(bench, stage, 'hundred')
  const count = bench.quick ? 200 : 400
  const { keys } = bench.product.urls
  const measured = await interleaved(
    [
      floorOf(bench, 'look-up', keys, lookupOf(subject.key), count),
      ...floorsOf(bench, subject.bound, count),
      ofGateway(stage, subject, count),
    ],
    roundsFor(bench, 'a cold report of 100 rows'),
  )
  const rounds = (name: string): number[] => roundsOf(measured, name).map(({ ms }) => ms)
  const lookUps = rounds('look-up')
  const statement = fasterFloor(measured, ({ ms }) => ms)
  return [
    ratioRow({
      name: 'cold report of 100 rows against the key look-up and the statement by pgbench',
      rounds: rounds('gateway'),
      baseline: {
        name: 'pgbench',
        rounds: lookUps.map((ms, round) => ms + (statement.rounds[round] ?? Number.NaN)),
      },
      target: { atMost: 2 },
      figures: {
        'gateway, ms': median(rounds('gateway')),
        'pgbench, key look-up, ms': median(lookUps),
        ...statement.figures,
      },
    }),
  ]
}

async function middlingRegister(bench: Bench, stage: Stage): Promise<Row[]> {
  const { subject } = await checked(bench, stage, 'ten thousand')
  const count = bench.quick ? 8 : 15
  const measured = await interleaved(
    [...floorsOf(bench, subject.bound, count), ofGateway(stage, subject, count)],
    roundsFor(bench, 'a cold report of 10,000 rows'),
  )
  return [againstFloor('10,000 rows against pgbench, rows thrown away', measured)]
}

async function largeRegister(bench: Bench, stage: Stage): Promise<Row[]> {
  const { subject, rows } = await checked(bench, stage, 'two hundred thousand')
  const objects = await startObjectsServer(bench, subject.bound)
  await checkObjects(objects.url, subject, rows)
  const count = 3
  const measured = await interleaved(
    [
      ...floorsOf(bench, subject.bound, count),
      ofGateway(stage, subject, count),
      timed(
        'objects',
        stage.asker,
        { port: portOf(objects), target: '/', key: '-' },
        objects,
        count,
      ),
    ],
    roundsFor(bench, 'a cold report of 200,000 rows'),
  )
  await objects.stop()
  const of = (name: string, figure: keyof Measured): number[] =>
    roundsOf(measured, name).map(round => round[figure])
  const againstObjects = (name: string, figure: keyof Measured, atMost: number): Row =>
    ratioRow({
      name,
      rounds: of('gateway', figure),
      baseline: { name: 'pg objects', rounds: of('objects', figure) },
      target: { atMost },
      figures: {
        [`gateway, ${figure}`]: median(of('gateway', figure)),
        [`pg objects, ${figure}`]: median(of('objects', figure)),
      },
    })
  return [
    againstFloor('200,000 rows against pgbench, rows thrown away', measured),
    againstObjects('200,000 rows against pg objects and JSON.stringify', 'ms', 0.5),
    againstObjects('200,000 rows, CPU of Node against the same', 'cpuMs', 0.25),
  ]
}

function againstFloor(name: string, measured: ReadonlyMap<string, readonly Measured[]>): Row {
  const gateway = roundsOf(measured, 'gateway')
  const floor = fasterFloor(measured, ({ ms }) => ms)
  return ratioRow({
    name,
    rounds: gateway.map(({ ms }) => ms),
    baseline: { name: 'pgbench', rounds: floor.rounds },
    target: { atMost: 1.15 },
    figures: {
      'gateway, ms': median(gateway.map(({ ms }) => ms)),
      'gateway, CPU ms': median(gateway.map(({ cpuMs }) => cpuMs)),
      ...floor.figures,
    },
  })
}

async function checked(
  bench: Bench,
  { gateway }: Stage,
  name: BenchName,
): Promise<{ subject: Subject; rows: readonly Readonly<Record<string, unknown>>[] }> {
  const organization = bench.product.named[name]
  const subject = subjectOf(organization, REGISTER)
  return { subject, rows: await checkAnswer(gateway.url, subject, organization.postedThisYear) }
}

function roundsFor(bench: Bench, words: string): Parameters<typeof interleaved>[1] {
  return {
    rounds: bench.quick ? 3 : 5,
    signal: bench.signal,
    progress: round => bench.progress(`${words}: ${round}`),
  }
}
