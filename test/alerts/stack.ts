// A real Prometheus and Alertmanager with the shipped configuration, whose times are divided, and a receiver.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { freePort } from '../../src/demo/ports.ts'
import type { Closers } from '../harness/closers.ts'
import { divideTimes, PACK } from './pack.ts'

/** What Alertmanager sends. */
export interface Notification {
  readonly status: 'firing' | 'resolved'
  readonly alerts: readonly {
    readonly status: 'firing' | 'resolved'
    readonly startsAt: string
    readonly labels: Readonly<Record<string, string>>
  }[]
}

export interface Stack {
  readonly notifications: readonly Notification[]
  readonly alertmanagerUrl: string
}

/**
 * @param targets `127.0.0.1:9464` of each gateway
 * @param byOfRoutes divides the times of Alertmanager
 */
export async function startStack(
  folder: string,
  targets: readonly string[],
  by: number,
  closers: Closers,
  byOfRoutes = by,
): Promise<Stack> {
  mkdirSync(folder)
  const notifications: Notification[] = []
  const receiver = createServer((request, response) => {
    void json(request)
      .then(notification => notifications.push(notification as Notification))
      .then(() => response.end())
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  closers.onEnd(() => void receiver.close())
  const { port } = receiver.address() as AddressInfo
  const [prometheus, alertmanager] = [await freePort(), await freePort()]
  const write = (name: string, edit: (text: string) => string): void =>
    writeFileSync(`${folder}/${name}`, edit(readFileSync(`${PACK}/${name}`, 'utf8')))

  write('svodka.rules.yml', text => divideTimes(text, by))
  write('svodka.alerts.yml', text => divideTimes(text, by))
  write('alertmanager.yml', text =>
    divideTimes(text, byOfRoutes).replace('127.0.0.1:9095', `127.0.0.1:${port}`),
  )
  // why not divided: a busy machine does not respond to a scrape within 250 ms
  write('prometheus.yml', text =>
    text
      .replaceAll('15s', '500ms')
      .replace('127.0.0.1:9093', `127.0.0.1:${alertmanager}`)
      .replace("['127.0.0.1:9464']", JSON.stringify(targets)),
  )
  const start = (program: string, ...args: readonly string[]): void => {
    const child = spawn(program, args, { cwd: folder, stdio: 'ignore' })
    const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
    closers.onEnd(async () => {
      child.kill('SIGKILL')
      await ended
    })
  }
  start(
    'prometheus-alertmanager',
    '--config.file=alertmanager.yml',
    '--storage.path=alertmanager',
    `--web.listen-address=127.0.0.1:${alertmanager}`,
    '--cluster.listen-address=',
  )
  start(
    'prometheus',
    '--config.file=prometheus.yml',
    '--storage.tsdb.path=data',
    `--web.listen-address=127.0.0.1:${prometheus}`,
  )
  return { notifications, alertmanagerUrl: `http://127.0.0.1:${alertmanager}` }
}
