// A real nginx in front of a gateway, with what its defaults are: HTTP/1.0 to its upstream, buffers and files.
import { spawn } from 'node:child_process'
import { serverAccount, writeFor } from '../../src/demo/account.ts'
import { freePort } from '../../src/demo/ports.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

export interface Nginx {
  /** `http://127.0.0.1:PORT`: nothing but `proxy_pass`. */
  readonly url: string
  /** nginx itself codes what it passes on. */
  readonly codingUrl: string
  /** With `proxy_http_version 1.1`, as newer guides have it. */
  readonly newerUrl: string
  stop(): Promise<void>
}

/** why: Debian has it where only root's PATH looks */
export const NGINX_PROGRAMS = ['nginx', '/usr/sbin/nginx']

/** @param upstream `http://127.0.0.1:PORT` */
export async function startNginx(program: string, upstream: string): Promise<Nginx> {
  const folder = temporaryFolder()
  const account = serverAccount()
  account.give(folder)
  const ports = [await freePort(), await freePort(), await freePort()]
  const server = (order: number, ...settings: string[]): string[] => [
    'server {',
    `listen 127.0.0.1:${ports[order]};`,
    ...settings,
    `location / { proxy_pass ${upstream}; }`,
    '}',
  ]
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const settings = [
    'daemon off;',
    'worker_processes 1;',
    `pid ${folder}/pid;`,
    'error_log stderr;',
    'events {}',
    'http {',
    'access_log off;',
    ...kinds.map(kind => `${kind}_temp_path ${folder}/${kind};`),
    ...server(0),
    ...server(1, 'proxy_set_header Accept-Encoding "";', 'gzip on;', 'gzip_types *;'),
    ...server(2, 'proxy_http_version 1.1;'),
    '}',
  ]
  writeFor(account, `${folder}/nginx.conf`, [...settings, ''].join('\n'))

  const child = spawn(program, ['-p', folder, '-e', 'stderr', '-c', `${folder}/nginx.conf`], {
    ...account.ids,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', chunk => (said += chunk))
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const kill = (): void => void child.kill('SIGTERM')
  process.once('exit', kill)
  const [url = '', codingUrl = '', newerUrl = ''] = ports.map(port => `http://127.0.0.1:${port}`)
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${said}`)
    return fetch(`${newerUrl}/`).then(
      () => true,
      () => false,
    )
  })
  return {
    url,
    codingUrl,
    newerUrl,
    async stop() {
      kill()
      await ended
      process.off('exit', kill)
    },
  }
}
