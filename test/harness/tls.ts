// TLS for the standby of the shared cluster, with certificates that openssl makes.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { Cluster } from '../../src/demo/cluster.ts'
import { sharedCluster } from './cluster.ts'
import { run } from './shops.ts'
import { until } from './until.ts'
import { skip } from './skip.ts'

/**
 * Registers the hooks: TLS is on for the tests of a `describe`, which are skipped without openssl. The result is
 * complete before the first test.
 * @param only rejects connections without TLS
 */
export function standbyWithTls({ only = false } = {}): { cluster: Cluster } {
  const made = {} as { cluster: Cluster; files: string[] | undefined; rules?: string }
  const hba = (): string => `${made.cluster.folder}/standby/pg_hba.conf`

  before(async function () {
    made.cluster = await sharedCluster()
    made.files = certificate(`${made.cluster.folder}/standby`)
    if (made.files === undefined) {
      skip(this, 'there is no openssl: install openssl')
    }
    await turn('on')
    if (!only) return
    made.rules = readFileSync(hba(), 'utf8')
    writeFileSync(hba(), made.rules.replaceAll(/^host\s/gm, 'hostssl '))
    await run(made.cluster.replicaUrl, 'select pg_reload_conf()')
    await until(() =>
      run(made.cluster.replicaUrl, 'select 1').then(
        () => false,
        () => true,
      ),
    )
  })
  after(async () => {
    if (made.files === undefined) return
    if (made.rules !== undefined) {
      writeFileSync(hba(), made.rules)
      await run(overTls(made.cluster.replicaUrl), 'select pg_reload_conf()')
      await until(() =>
        run(made.cluster.replicaUrl, 'select 1').then(
          () => true,
          () => false,
        ),
      )
    }
    await turn('off')
    for (const file of made.files) rmSync(file, { force: true })
  })

  async function turn(value: 'on' | 'off'): Promise<void> {
    const { replicaUrl } = made.cluster
    await run(replicaUrl, `alter system set ssl = ${value}`)
    await run(replicaUrl, 'select pg_reload_conf()')
    await until(async () => (await run<{ ssl: string }>(replicaUrl, 'show ssl'))[0]?.ssl === value)
    if (value === 'off') await run(replicaUrl, 'alter system reset ssl')
  }
  return made
}

/** The URL, over TLS without verification. */
export function overTls(url: string): string {
  return `${url}?sslmode=no-verify`
}

/** `server.key` and `server.crt` in the data directory; undefined without openssl. */
export function certificate(directory: string): string[] | undefined {
  const [key, certificate] = [`${directory}/server.key`, `${directory}/server.crt`]
  const asked = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost`.split(' ')
  try {
    execFileSync('openssl', [...asked, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const { uid, gid } = statSync(directory)
  for (const file of [key, certificate]) {
    chmodSync(file, 0o600)
    chownSync(file, uid, gid)
  }
  return [key, certificate]
}
