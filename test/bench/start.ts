// Start time and idle memory of the gateway. They depend on the machine: the targets are those of two idle cores.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Row } from './bench.ts'
import { startGateway } from './gateway.ts'
import { memoryBytes } from '../harness/process-figures.ts'
import { plainRow } from './rows.ts'
import { median } from './statistics.ts'

const SETTLE_MS = 2000

export async function start(bench: Bench): Promise<Row[]> {
  const seconds = new Map<string, number[]>(bench.gateways.map(({ name }) => [name, []]))
  const idle = new Map<string, number>()
  for (let round = 1; round <= bench.effort.rounds; round++) {
    bench.progress(`start: round ${round} of ${bench.effort.rounds}`)
    for (const command of bench.gateways) {
      const gateway = await startGateway(bench, command)
      seconds.get(command.name)?.push(gateway.readyAfterMs / 1000)
      if (round === bench.effort.rounds) {
        await sleep(SETTLE_MS)
        idle.set(command.name, memoryBytes(gateway.pid) / 2 ** 20)
      }
      await gateway.stop()
    }
  }
  return bench.gateways.flatMap(({ name }) => {
    const prefix = name === '' ? '' : `${name}: `
    const all = seconds.get(name) ?? []
    return [
      plainRow(bench, {
        name: `${prefix}start to ready`,
        value: median(all),
        unit: 's',
        spread: [Math.min(...all), Math.max(...all)],
        target: { atMost: 0.9 },
      }),
      plainRow(bench, {
        name: `${prefix}memory idle`,
        value: idle.get(name),
        unit: 'MiB',
        target: { atMost: 110 },
      }),
    ]
  })
}
