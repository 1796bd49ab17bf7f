// A real Prometheus and Alertmanager with the shipped configuration, and a receiver of their notifications.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { freePort } from '../../src/demo/ports.ts'
import { eventually } from '../../src/demo/processes.ts'
import type { Closers } from '../harness/closers.ts'
import { skip } from '../harness/skip.ts'
import { isUp } from '../harness/until.ts'
import { PACK } from './pack.ts'

/** An alert of a notification that Alertmanager sends. */
interface Notified {
  readonly status: 'firing' | 'resolved'
  readonly labels: Readonly<Record<string, string>>
  readonly startsAt: string
  readonly endsAt: string
}

export interface Alerting {
  /** Resolves once an alert that has begun or ended since then has arrived. @param since ms since the epoch */
  arrives(
    expected: Pick<Notified, 'status' | 'labels'>,
    since: number,
    withinSeconds: number,
  ): Promise<boolean>
  /** Those that have arrived so far, in order. */
  readonly notified: readonly Notified[]
  /** The first column of a query. */
  query(expression: string): Promise<number[]>
}

const PROGRAMS = ['prometheus', 'prometheus-alertmanager']

/** @param targets `127.0.0.1:9464` of each gateway @param edit changes svodka.alerts.yml */
export async function startAlerting(
  context: Mocha.Context,
  folder: string,
  targets: readonly string[],
  closers: Closers,
  edit = (text: string): string => text,
): Promise<Alerting> {
  for (const program of PROGRAMS)
    if (spawnSync(program, ['--version']).error !== undefined)
      skip(context, `there is no ${program}: install ${program}`)
  const notified: Notified[] = []
  const receiver = createServer((request, response) => {
    void json(request)
      .then(body => notified.push(...(body as { alerts: Notified[] }).alerts))
      .then(() => response.end())
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  closers.onEnd(() => void receiver.close())
  const { port } = receiver.address() as AddressInfo
  const [own, alertmanager] = [await freePort(), await freePort()]
  mkdirSync(folder)
  const write = (name: string, change: (text: string) => string): void =>
    writeFileSync(`${folder}/${name}`, change(readFileSync(`${PACK}/${name}`, 'utf8')))
  write('svodka.rules.yml', text => text)
  write('svodka.alerts.yml', edit)
  write('alertmanager.yml', text => text.replace('127.0.0.1:9095', `127.0.0.1:${port}`))
  write('prometheus.yml', text =>
    text
      .replace('127.0.0.1:9093', `127.0.0.1:${alertmanager}`)
      .replace("['127.0.0.1:9464']", JSON.stringify(targets)),
  )
  async function start(program: string, at: number, options: string): Promise<void> {
    const listen = `--web.listen-address=127.0.0.1:${at}`
    const child = spawn(program, [listen, ...options.split(' ')], { cwd: folder, stdio: 'ignore' })
    const ended = once(child, 'close')
    closers.onEnd(async () => {
      child.kill('SIGKILL')
      await ended
    })
    if (!(await eventually(() => isUp(`http://127.0.0.1:${at}/-/ready`), 20_000)))
      throw new Error(`${program} does not start`)
  }
  const files = '--config.file=alertmanager.yml --storage.path=alertmanager'
  await start('prometheus-alertmanager', alertmanager, `${files} --cluster.listen-address=`)
  await start('prometheus', own, '--config.file=prometheus.yml --storage.tsdb.path=data')

  const isExpected = (
    { status, labels, startsAt, endsAt }: Notified,
    expected: Pick<Notified, 'status' | 'labels'>,
    since: number,
  ): boolean =>
    status === expected.status &&
    Date.parse(status === 'firing' ? startsAt : endsAt) >= since &&
    Object.entries(expected.labels).every(([name, value]) => labels[name] === value)

  return {
    async arrives(expected, since, withinSeconds) {
      const hasArrived = await eventually(
        () => notified.some(one => isExpected(one, expected, since)),
        since + withinSeconds * 1000 - Date.now(),
        100,
      )
      const what = `${expected.labels['alertname']} ${expected.status}`
      const when = hasArrived
        ? `after ${((Date.now() - since) / 1000).toFixed(0)} s`
        : 'not arrived'
      process.stdout.write(`    ${what}: ${when}, at most ${withinSeconds} s\n`)
      return hasArrived
    },
    notified,
    async query(expression) {
      const url = `http://127.0.0.1:${own}/api/v1/query?query=${encodeURIComponent(expression)}`
      const { data } = (await (await fetch(url)).json()) as {
        data: { result: { value: [number, string] }[] }
      }
      return data.result.map(({ value }) => Number(value[1]))
    },
  }
}
