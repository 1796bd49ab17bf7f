// How soon the gateway answers, and what it takes of memory. Seconds and MiB hang on the machine, so that their targets
// are about twice what was measured on two quiet cores: they say that something has grown, and not how good it is.
import type { Bench } from '../bench.ts'
import { need } from '../commands.ts'
import { startGateway } from '../gateway.ts'
import type { Group, Row } from '../row.ts'
import { median } from '../statistics.ts'
import { voidIfBusy } from '../void-rule.ts'
import { firstAnswerSeconds } from './first-answer.ts'
import { memoryOf } from './full-cache.ts'

export const start: Group = {
  name: 'start',
  async rows(bench) {
    need('taskset')
    const rows = [await readyRow(bench), ...(await memoryRows(bench))]
    return bench.quick ? rows : [...rows, await demoRow(bench)]
  },
}

async function readyRow(bench: Bench): Promise<Row> {
  bench.progress('start: from process start to ready')
  const seconds: number[] = []
  const cpuSeconds: number[] = []
  for (let round = 0; round < (bench.quick ? 3 : 7); round++) {
    const gateway = await startGateway(bench)
    seconds.push(gateway.readyAfterMs / 1000)
    cpuSeconds.push(gateway.cpuMs() / 1000)
    await gateway.stop()
  }
  return {
    name: 'process start to ready',
    value: median(seconds),
    unit: 's',
    spread: [Math.min(...seconds), Math.max(...seconds)],
    target: { atMost: 2 },
    ...voidIfBusy(bench),
    figures: { 'CPU s to ready': median(cpuSeconds) },
  }
}

async function memoryRows(bench: Bench): Promise<Row[]> {
  bench.progress('start: memory idle, and with a full cache')
  const { idleMiB, fullMiB, keptMiB, requestCount } = await memoryOf(bench)
  const figures = {
    'idle, MiB': Math.round(idleMiB),
    'with a full cache, MiB': Math.round(fullMiB),
    'kept by its own count, MiB': Number(keptMiB.toFixed(1)),
    'answers to fill it': requestCount,
  }
  return [
    {
      name: 'memory idle',
      value: idleMiB,
      unit: 'MiB',
      target: { atMost: 200 },
      ...voidIfBusy(bench),
      figures: {},
    },
    {
      name: 'memory that a full cache adds against what it counts',
      value: (fullMiB - idleMiB) / keptMiB,
      unit: 'x',
      target: { atMost: 2 },
      ...voidIfBusy(bench),
      figures,
    },
  ]
}

async function demoRow(bench: Bench): Promise<Row> {
  bench.progress('start: `make run` in a fresh folder')
  const seconds = await firstAnswerSeconds(bench)
  return {
    name: '`make run` to the first answer, built, no data yet',
    value: seconds,
    unit: 's',
    target: { atMost: 60 },
    ...voidIfBusy(bench),
    figures: {},
  }
}
