// The recipes of config/haproxy and config/nginx, started as they are, except for addresses and paths.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { serverAccount } from '../../src/demo/account.ts'
import { freePort } from '../../src/demo/ports.ts'
import type { Addresses } from '../harness/process.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'

const CONFIG = join(import.meta.dirname, '../../../config')
// why: on Debian these programs are only in the PATH of root
const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` }
const NJS = '/usr/lib/nginx/modules/ngx_http_js_module.so'

export interface FrontResponse {
  /** 0 without a complete response. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Front {
  /** `https://127.0.0.1:PORT` */
  readonly url: string
  /** Verifies the certificate. @param onChunk called with each part of the body */
  ask(
    path: string,
    headers?: Readonly<Record<string, string>>,
    onChunk?: () => void,
  ): Promise<FrontResponse>
  /** Reloads with other gateways; resolves when the new configuration is in use. */
  reload(gateways: readonly Addresses[]): Promise<void>
  log(): string
  stop(): Promise<void>
}

export type StartFront = (gateways: readonly Addresses[]) => Promise<Front>

interface Recipe {
  readonly program: string
  readonly arguments: readonly string[]
  readonly reloadSignal: NodeJS.Signals
  readonly logFile?: string
  /** Writes the files. */
  readonly write: (gateways: readonly Addresses[]) => void
}

export function startHaproxy(gateways: readonly Addresses[]): Promise<Front> {
  return startFront(gateways, (folder, port) => {
    const file = join(folder, 'haproxy.cfg')
    return {
      program: 'haproxy',
      arguments: ['-W', '-f', file],
      reloadSignal: 'SIGUSR2',
      write: current => {
        const text = readFileSync(join(CONFIG, 'haproxy/haproxy.cfg'), 'utf8')
        const servers = current.map(
          ({ url, opsUrl }) =>
            `    server gateway${new URL(url).port} ${new URL(url).host} id ${new URL(url).port} port ${new URL(opsUrl).port}`,
        )
        const adapted = adapt(text, [
          [':443', `127.0.0.1:${port}`],
          ['/etc/haproxy/svodka.pem', join(folder, 'svodka.pem')],
          [/( +server gateway.*\n)+/, `${servers.join('\n')}\n`],
        ])
        writeFileSync(file, adapted)
      },
    }
  })
}

export function startNginx(gateways: readonly Addresses[]): Promise<Front> {
  return startFront(gateways, (folder, port) => {
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const main = `load_module ${NJS};
daemon off;
pid ${folder}/pid;
error_log stderr info;
events {}
http {
  ${kinds.map(kind => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  include ${folder}/svodka.conf;
}
`
    writeFileSync(join(folder, 'nginx.conf'), main)
    copyFileSync(join(CONFIG, 'nginx/api-key.js'), join(folder, 'api-key.js'))
    const logFile = join(folder, 'access.log')
    return {
      program: 'nginx',
      arguments: ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')],
      reloadSignal: 'SIGHUP',
      logFile,
      write: current => {
        const text = readFileSync(join(CONFIG, 'nginx/svodka.conf'), 'utf8')
        const servers = current.map(
          ({ url }) => `    server ${new URL(url).host} max_fails=1 fail_timeout=2s;`,
        )
        const adapted = adapt(text, [
          ['listen 443', `listen 127.0.0.1:${port}`],
          ['/etc/nginx/svodka.pem', join(folder, 'svodka.pem')],
          ['/etc/nginx/svodka.key', join(folder, 'svodka.key')],
          ['/etc/nginx/api-key.js', join(folder, 'api-key.js')],
          ['/var/log/nginx/svodka.log', logFile],
          [/( +server 10\.0\..*\n)+/, `${servers.join('\n')}\n`],
        ])
        writeFileSync(join(folder, 'svodka.conf'), adapted)
      },
    }
  })
}

/** For hooks: skips with a reason if a program is not installed. */
export function needsProxies(context: Mocha.Context): void {
  const missing = [
    ['haproxy', 'haproxy', ['-v']],
    ['nginx', 'nginx-light', ['-v']],
    ['openssl', 'openssl', ['version']],
  ] as const
  for (const [program, debianPackage, options] of missing) {
    if (spawnSync(program, options, { env }).error === undefined) continue
    skip(context, `there is no ${program}: install ${debianPackage}`)
  }
  if (!existsSync(NJS)) skip(context, `there is no ${NJS}: install libnginx-mod-http-js`)
}

/** @throws Error if the recipe does not contain a text that is replaced */
function adapt(text: string, changes: ReadonlyArray<readonly [string | RegExp, string]>): string {
  return changes.reduce((adapted, [from, to]) => {
    const changed = adapted.replace(from, () => to)
    if (changed === adapted) throw new Error(`the recipe does not contain ${from}`)
    return changed
  }, text)
}

async function startFront(
  gateways: readonly Addresses[],
  recipeOf: (folder: string, port: number) => Recipe,
): Promise<Front> {
  const folder = temporaryFolder()
  const account = serverAccount()
  const port = await freePort()
  const ca = makeCertificate(folder)
  const recipe = recipeOf(folder, port)
  recipe.write(gateways)
  for (const name of ['', 'svodka.pem', 'svodka.key']) account.give(join(folder, name))
  const child = spawn(recipe.program, recipe.arguments, {
    ...account.ids,
    env,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const kill = (): void => void child.kill('SIGTERM')
  process.once('exit', kill)
  const url = `https://127.0.0.1:${port}`
  const agent = new Agent({ ca, keepAlive: true })

  const ask: Front['ask'] = (path, headers = {}, onChunk = () => undefined) =>
    new Promise(resolve => {
      const failed = { status: 0, headers: {}, text: '' }
      request(`${url}${path}`, { agent, headers }, response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          onChunk()
        })
        response.once('error', () => resolve(failed))
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      })
        .once('error', error => resolve({ ...failed, text: String(error) }))
        .end()
    })

  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${recipe.program} did not start: ${output}`)
    return (await ask('/')).status !== 0
  })
  return {
    url,
    ask,
    async reload(current) {
      recipe.write(current)
      const before = workersOf(child.pid)
      child.kill(recipe.reloadSignal)
      await until(() => workersOf(child.pid).some(pid => !before.includes(pid)))
      // why: a new HAProxy worker regards gateways as up until its first checks
      await until(async () => (await ask('/')).status !== 0)
    },
    log: () => output + (recipe.logFile ? readFileSync(recipe.logFile, 'utf8') : ''),
    async stop() {
      agent.destroy()
      kill()
      await ended
      process.off('exit', kill)
    },
  }
}

function workersOf(pid = 0): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
}

/** `svodka.pem` with certificate and key, `svodka.key`. @returns the certificate */
function makeCertificate(folder: string): string {
  const [certificate, key] = [join(folder, 'svodka.pem'), join(folder, 'svodka.key')]
  const options = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=svodka'.split(' ')
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', [...options, ...names, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  const ca = readFileSync(certificate, 'utf8')
  writeFileSync(certificate, ca + readFileSync(key, 'utf8'))
  return ca
}
