// TLS to PostgreSQL: certificates that verify-full accepts and rejects, on a real server.
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { expect } from 'chai'
import { Client } from 'pg'
import { serverAccount } from '../../src/demo/account.ts'
import { asker } from '../harness/ask.ts'
import { metricOf } from '../harness/exposition.ts'
import { startGateway, type TestGateway } from '../harness/gateway.ts'
import { run, sharedShops, type Shops } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { overTls, standbyWithTls } from '../harness/tls.ts'
import { until } from '../harness/until.ts'
import { readyz } from './gateways.ts'

const openssl = (line: string, ...rest: string[]): void =>
  void execFileSync('openssl', [...line.split(' '), ...rest], { stdio: 'ignore' })

/** Writes `NAME.pem` and `NAME.key`: an authority of its own. */
function makeAuthority(folder: string, name: string): void {
  const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.pem`)]
  openssl(`req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name}`, ...files)
}

/** Writes `NAME.pem` and `NAME.key`: a certificate of the authority `ca`. */
function makeCertificate(folder: string, name: string, commonName: string, days: number): void {
  const [key, request, pem] = ['key', 'csr', 'pem'].map(end => join(folder, `${name}.${end}`))
  const authority = ['-CA', join(folder, 'ca.pem'), '-CAkey', join(folder, 'ca.key')]
  openssl(
    `req -newkey rsa:2048 -nodes -subj /CN=${commonName} -addext subjectAltName=DNS:${commonName}`,
    '-keyout',
    key!,
    '-out',
    request!,
  )
  const options = ['-copy_extensions', 'copy', '-days', String(days), ...authority]
  openssl('x509 -req', ...options, '-in', request!, '-out', pem!)
}

describe('TLS to PostgreSQL', () => {
  const tls = standbyWithTls()
  const folder = temporaryFolder()
  const gateways: TestGateway[] = []
  let shops: Shops
  let rules: string
  const hba = (): string => `${tls.cluster.folder}/standby/pg_hba.conf`

  before(async () => {
    shops = await sharedShops()
    makeAuthority(folder, 'ca')
    makeAuthority(folder, 'other-ca')
    makeCertificate(folder, 'good', 'localhost', 2)
    makeCertificate(folder, 'expired', 'localhost', -1)
    makeCertificate(folder, 'other-name', 'db.example', 2)
    makeCertificate(folder, 'client', new URL(shops.replicaUrl).username, 2)
    rules = readFileSync(hba(), 'utf8')
  })
  afterEach(() => Promise.all(gateways.splice(0).map(gateway => gateway.stop())))
  after(async () => {
    writeFileSync(hba(), rules)
    // why: TLS is off again
    await run(tls.cluster.replicaUrl, 'alter system reset ssl_ca_file')
    await run(tls.cluster.replicaUrl, 'select pg_reload_conf()')
  })

  /** Resolves when the server uses the certificate. */
  async function serve(name: string): Promise<void> {
    const data = `${tls.cluster.folder}/standby`
    for (const [from, to] of [
      [`${name}.pem`, 'server.crt'],
      [`${name}.key`, 'server.key'],
    ] as const)
      writeFileSync(join(data, to), readFileSync(join(folder, from)))
    await run(overTls(tls.cluster.replicaUrl), 'select pg_reload_conf()')
    const pem = readFileSync(join(folder, `${name}.pem`), 'utf8')
    await until(
      async () => (await certificateOfServer()) === pem.replaceAll(/-----.*-----|\s/g, ''),
    )
  }

  /** The certificate that the server presents, in base64. */
  async function certificateOfServer(): Promise<string> {
    const client = new Client({ connectionString: overTls(tls.cluster.replicaUrl) })
    await client.connect()
    const { stream } = (client as unknown as { connection: { stream: TLSSocket } }).connection
    const { raw } = stream.getPeerCertificate()
    await client.end()
    return raw.toString('base64')
  }

  /** @param parameters of the URL, after `sslmode=verify-full` */
  async function start(parameters: string): Promise<TestGateway> {
    const url = Object.assign(new URL(shops.replicaUrl), { hostname: 'localhost' })
    url.search = `?sslmode=verify-full${parameters}`
    const gateway = await startGateway({ DATABASE_URL: url.href }, { unready: true })
    gateways.push(gateway)
    return gateway
  }

  const sslRootCert = (name: string): string => `&sslrootcert=${join(folder, name)}.pem`
  const clientFiles = (): string =>
    `&sslcert=${join(folder, 'client.pem')}&sslkey=${join(folder, 'client.key')}`

  async function expectReport(gateway: TestGateway): Promise<void> {
    await gateway.ready()
    const ask = asker(gateway.url, 'key of shop 1')
    expect((await ask('/reports/receipts')).status).to.equal(200)
  }

  /** Expects the reason in what is logged, and that the gateway is not ready. */
  async function expectRejected(gateway: TestGateway, reason: RegExp): Promise<void> {
    const error = await until(() => {
      const failed = gateway.observations.find(({ kind }) => kind === 'replica-probe-failed')
      return failed?.kind === 'replica-probe-failed' ? String(failed.error) : undefined
    })
    expect(error).to.match(reason)
    expect(await readyz(gateway))
      .to.match(/^503 /)
      .and.match(reason)
  }

  it('works with verify-full, a good certificate and its authority', async () => {
    await serve('good')
    const gateway = await start(sslRootCert('ca'))
    await expectReport(gateway)
    const { valid_to } = new X509Certificate(
      readFileSync(join(folder, 'good.pem')),
    ).toLegacyObject()
    for (const pool of ['reports', 'probe']) {
      const name = 'svodka_db_certificate_expiry_timestamp_seconds'
      expect(await metricOf(gateway, name, { pool })).to.equal(Date.parse(valid_to) / 1000)
    }
  })

  for (const [what, certificate, authority, reason] of [
    ['of another host name', 'other-name', 'ca', /Hostname\/IP does not match.*localhost/],
    ['that has expired', 'expired', 'ca', /certificate has expired/],
    ['of another authority', 'good', 'other-ca', /unable to verify the first certificate/],
  ] as const) {
    it(`rejects a certificate ${what}, logs why, and is not ready`, async () => {
      await serve(certificate)
      await expectRejected(await start(sslRootCert(authority)), reason)
    })
  }

  it('presents a client certificate if the server requires one', async () => {
    await serve('good')
    const data = `${tls.cluster.folder}/standby`
    const authority = join(data, 'clients.pem')
    writeFileSync(authority, readFileSync(join(folder, 'ca.pem')))
    chmodSync(authority, 0o644)
    serverAccount().give(authority)
    await run(overTls(tls.cluster.replicaUrl), `alter system set ssl_ca_file = 'clients.pem'`)
    // why: the test itself connects to another database
    writeFileSync(hba(), `hostssl shops all all cert\n${rules}`)
    await run(overTls(tls.cluster.replicaUrl), 'select pg_reload_conf()')
    await expectReport(await start(sslRootCert('ca') + clientFiles()))
    const without = await start(sslRootCert('ca'))
    await expectRejected(without, /certificate/)
  })
})
