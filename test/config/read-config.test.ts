import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { Client } from 'pg'
import { readConfig } from '../../src/config/read-config.ts'
import { ConfigError } from '../../src/config/config.ts'
import { findMisspellings } from '../../src/config/misspellings.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { DATABASE_URL, problemsOf, read } from './read.ts'
import { USUAL_VARIABLES } from './usual-variables.ts'

describe('readConfig', () => {
  it('requires only DATABASE_URL, and has a default for every other setting', () => {
    const config = read({})
    expect(config).to.include({
      host: '127.0.0.1',
      port: 8080,
      opsPort: 9464,
      cacheMaxBytes: 268_435_456,
      reportPoolSize: 8,
      gatewayCount: 1,
      queueTimeoutMs: 20_000,
      keysMaxLagMs: 60_000,
      reportsMaxLagMs: 60_000,
      drainDelayMs: 5000,
      logLevel: 'info',
      allowPrimary: false,
    })
    expect(config.warnings).to.deep.equal([])
    expect(config.replicas).to.deep.equal([
      { name: 'replica.example:5432', url: DATABASE_URL, probeUrl: DATABASE_URL },
    ])
  })

  it('divides the connections for reports by the number of gateways, at least one each', () => {
    for (const [all, gateways, own] of [
      ['8', '1', 8],
      ['8', '3', 2],
      ['8', '20', 1],
    ] as const)
      expect(read({ REPORT_POOL_SIZE: all, GATEWAYS: gateways }).reportPoolSize).to.equal(own)
  })

  it('accepts several replicas, each with its probe, and names them by host and port', () => {
    const urls = ['postgres://a:b%2Cc@one/erp', 'postgres://a@[::1]:5433/erp']
    const probes = ['postgres://p@one:5432/erp', 'postgres:///erp?host=/run/pg&port=5433']
    const environment = { DATABASE_URL: urls.join(', '), PROBE_DATABASE_URL: probes.join(',') }
    const config = read(environment)
    expect(config.replicas).to.deep.equal([
      { name: 'one:5432', url: urls[0], probeUrl: probes[0] },
      { name: '[::1]:5433', url: urls[1], probeUrl: probes[1] },
    ])
    expect(config.keysDatabaseUrls).to.deep.equal([urls[0]])
    const socket = read({ DATABASE_URL: probes[1] })
    expect(socket.replicas[0]?.name).to.equal('/run/pg:5433')
    const withUser = read({ DATABASE_URL: 'postgres://a:b%40@/erp?sslmode=disable&host=/run/pg' })
    const { host, user, password, database } = new Client({
      connectionString: withUser.databaseUrls[0]!,
    })
    expect([host, user, password, database]).to.deep.equal(['/run/pg', 'a', 'b@', 'erp'])
  })

  it('recognizes key databases on a replica, for any role', () => {
    const environment = {
      DATABASE_URL: 'postgres://reports@one/erp, postgres://reports@pooler:6432/two',
      PROBE_DATABASE_URL: 'postgres://probe@one/erp, postgres://probe@two/erp',
      KEYS_DATABASE_URL: [
        'postgres://keys@one:5432/erp?sslmode=require',
        'postgres://keys@pooler:6432/primary',
        'postgres://keys@two/erp',
        'postgres://keys@two',
        'postgres://keys@primary/erp',
      ].join(),
    }
    expect(read(environment).keyServers.map(({ replica }) => replica)).to.deep.equal([
      { index: 0, isSameDatabase: true },
      { index: 1, isSameDatabase: false },
      { index: 1, isSameDatabase: true },
      { index: 1, isSameDatabase: false },
      undefined,
    ])
  })

  const [ONE, TWO] = ['postgres://a@one/erp', 'postgres://a@two:5433/erp']
  const PARAMETERS =
    'expected host, port, user, password, options, application_name, sslmode, sslrootcert, sslcert, sslkey, sslnegotiation, ssl, statement_timeout, lock_timeout, idle_in_transaction_session_timeout'
  const TOGETHER = `
DATABASE_URL=${ONE},postgres://b@one:5432/other
  DATABASE_URL names one:5432 twice: expected each replica once, with a different host and port
DATABASE_URL=${ONE} PROBE_DATABASE_URL=${ONE},${TWO}
  PROBE_DATABASE_URL has 2 and DATABASE_URL 1: expected as many, in the same order
DATABASE_URL=${ONE},${TWO} PROBE_DATABASE_URL=${TWO},${ONE}
  PROBE_DATABASE_URL names two:5433, one:5432: expected the order of DATABASE_URL, one:5432, two:5433, since each probe measures the lag of one replica
DATABASE_URL=${ONE},${TWO} PROBE_DATABASE_URL=${ONE},${TWO}
DATABASE_URL=${ONE},${TWO} PROBE_DATABASE_URL=postgres://b@one,postgres://b@one
  PROBE_DATABASE_URL names one:5432, one:5432: expected the order of DATABASE_URL, one:5432, two:5433, since each probe measures the lag of one replica
DATABASE_URL=${ONE},${TWO} PROBE_DATABASE_URL=${TWO},postgres://b@three
  PROBE_DATABASE_URL names two:5433, three:5432: expected the order of DATABASE_URL, one:5432, two:5433, since each probe measures the lag of one replica
DATABASE_URL=${ONE},${TWO} PROBE_DATABASE_URL=postgres://b@three/erp,postgres://c@three:5432/erp
  PROBE_DATABASE_URL names three:5432/erp twice: expected a probe of each replica, in the order of DATABASE_URL
DATABASE_URL=${ONE}?ssl_mode=require,${TWO}?sslMode=verify-full&application_name=x
  DATABASE_URL has an unknown parameter ssl_mode: is sslmode meant? ${PARAMETERS}
  DATABASE_URL has an unknown parameter sslMode: is sslmode meant? ${PARAMETERS}
KEYS_DATABASE_URL=${ONE}?channel_binding=require PROBE_DATABASE_URL=${DATABASE_URL}?sslmode=
  KEYS_DATABASE_URL has an unknown parameter channel_binding: ${PARAMETERS}
  PROBE_DATABASE_URL has the parameter sslmode without a value: expected one
DATABASE_URL=${ONE}?password=hunter&2=&host=other&host=third
  DATABASE_URL has an unknown parameter: ${PARAMETERS}
  DATABASE_URL has the parameter host twice: expected one
DATABASE_URL=${ONE}?sslmode=verify-full&sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem&options=-cgeqo%3Doff
DATABASE_URL=${ONE},${TWO} PROBE_DATABASE_URL=postgres://b@pooler/one,postgres://b@pooler/two
DATABASE_URL=${ONE},${TWO} PROBE_DATABASE_URL=postgres://p@two:6432/erp,postgres://p@one:6432/erp
TMPDIR=/nowhere
  TMPDIR is "/nowhere": expected a writable folder, or SPOOL_MAX_BYTES=0
TMPDIR=/nowhere SPOOL_MAX_BYTES=0
CACHE_MAX_BYTES=4MiB CACHE_MAX_ENTRY_BYTES=2MiB
  CACHE_MAX_ENTRY_BYTES is "2MiB": expected at most 523264 bytes, about an eighth of CACHE_MAX_BYTES
CACHE_MAX_BYTES=4MiB CACHE_MAX_ENTRY_BYTES=500KiB
PORT=9464
  OPS_PORT is "9464", which PORT is too: expected another port than the API's
PORT=9464 HOST=0.0.0.0
  OPS_PORT is "9464", which PORT is too: expected another port than the API's
PORT=9464 HOST=10.0.0.1
PORT=0 OPS_PORT=0
`
  for (const [, variables = '', lines = ''] of TOGETHER.matchAll(/^(\S.*)\n((?: {2}.*\n)*)/gm)) {
    const expected = lines.split('\n').slice(0, -1)
    it(`${expected.length === 0 ? 'accepts' : 'rejects'} ${variables}`, () => {
      const environment = variables.split(' ').map(text => text.split(/=(.*)/).slice(0, 2))
      const problems = problemsOf({ DATABASE_URL, ...Object.fromEntries(environment) })
      expect(problems).to.deep.equal(expected.map(line => line.trim()))
    })
  }

  it('rejects a TMPDIR in memory', function () {
    const TMPDIR = '/dev/shm'
    if (!existsSync(TMPDIR)) skip(this, 'this system has no /dev/shm')
    expect(problemsOf({ DATABASE_URL, TMPDIR, ALLOW_TMPFS: 'no' })).to.deep.equal([
      'TMPDIR is "/dev/shm", which is in memory: expected a folder on a disk, such as TMPDIR=/var/tmp, or ALLOW_TMPFS=true, or SPOOL_MAX_BYTES=0',
    ])
    for (const others of [{ ALLOW_TMPFS: 'yes' }, { ALLOW_TMPFS: 'no', SPOOL_MAX_BYTES: '0' }])
      expect(problemsOf({ DATABASE_URL, TMPDIR, ...others })).to.deep.equal([])
  })

  it('reports conflicts of settings together with invalid values', () => {
    expect(problemsOf({ DATABASE_URL, PORT: '9464', LOG_LEVEL: 'loud' })).to.have.lengthOf(2)
  })

  it('limits a body in memory to 8 MiB and an eighth of the cache, and 401 in a row without a proxy', () => {
    const limits = { maxCachedBytes: 8_388_608, maxUnauthorizedInARow: 20 }
    expect(read({ CACHE_MAX_BYTES: '1GiB' })).to.include(limits)
    expect(read({ CACHE_MAX_ENTRY_BYTES: '1MiB' }).maxCachedBytes).to.equal(1_048_576)
    expect(read({ CACHE_MAX_BYTES: '4MiB' }).maxCachedBytes).to.equal(523_264)
    expect(read({ CACHE_MAX_BYTES: '4KiB' }).maxCachedBytes).to.equal(65_536)
    expect(read({ TRUST_PROXY: '10.0.0.0/8' }).maxUnauthorizedInARow).to.equal(0)
  })

  it("finds the project's sql folder from any build folder", () => {
    expect(read({}).sqlDir).to.equal(join(process.cwd(), 'sql'))
  })

  it('ignores blank values', () => {
    const { passwordFiles: _, ...values } = read({})
    expect(read({ PORT: '', HOST: '  ', KEYS_DATABASE_URL: '' })).to.deep.include(values)
    expect(problemsOf({ DATABASE_URL: ' ' })[0]).to.match(/^DATABASE_URL is not set: expected/)
  })

  it('reports all problems in one message', () => {
    const environment = { PORT: 'x', CACHE_MAX_BYTES: '1k', LOG_LEVEL: 'loud' }
    const names = problemsOf(environment).map(problem => problem.split(' ', 1)[0])
    expect(names).to.have.members(['DATABASE_URL', ...Object.keys(environment)])
    expect(() => readConfig(environment)).to.throw(
      ConfigError,
      /4 settings are wrong:(\n {2}.+){4}/,
    )
  })

  it('rejects a URL in which part of the password would be the host', () => {
    for (const password of ['a@b/c', 'a@b?c', 'a@b#c', '12/c', '12?c', '12#c']) {
      const problems = problemsOf({ DATABASE_URL: `postgres://u:${password}@h/d` })
      expect(problems[0], password).to.match(/^DATABASE_URL holds \d+ characters \(not shown\)/)
    }
    for (const password of ['a@b', 'a:b', 'a,b', 'a%40b%2Fc']) {
      const url = `postgres://u:${password}@h/d`
      expect(read({ DATABASE_URL: url }).replicas[0]?.name, password).to.equal('h:5432')
    }
  })

  it('warns of a variable with a name similar to an unset setting, without its value', () => {
    const { warnings } = read({
      REPORT_POOL_SIZ: 'secret',
      KEYS_DATABSE_URL_FILE: 'secret',
      LOG_LEVLE: 'secret',
      drain_delay: 'secret',
      // Blank, or similar to a setting that is set.
      FAST_PAHT: ' ',
      DATABASE_URI: 'secret',
      CACHE_MAX_BYTE: 'secret',
      CACHE_MAX_BYTES: '1GiB',
    })
    expect(warnings).to.deep.equal([
      'REPORT_POOL_SIZ is not a setting: is REPORT_POOL_SIZE meant?',
      'KEYS_DATABSE_URL_FILE is not a setting: is KEYS_DATABASE_URL_FILE meant?',
      'LOG_LEVLE is not a setting: is LOG_LEVEL meant?',
      'drain_delay is not a setting: is DRAIN_DELAY meant?',
    ])
  })

  it('does not warn of variables of shells, containers, CI, PostgreSQL and other programs', () => {
    const usual = Object.fromEntries(USUAL_VARIABLES.map(name => [name, 'x']))
    expect(findMisspellings(usual)).to.deep.equal([])
  })
})

describe('a secret from a file', () => {
  let folder = ''
  let file = ''

  beforeEach(() => {
    folder = temporaryFolder()
    file = join(folder, 'url')
    writeFileSync(file, `${DATABASE_URL}\n`)
  })

  it('is its trimmed content, for every secret', () => {
    for (const [property, setting] of Object.entries(SETTINGS)) {
      if (!('secret' in setting)) continue
      const config = readConfig({ DATABASE_URL_FILE: file, [`${setting.name}_FILE`]: file })
      expect(config).to.have.deep.property(property, [DATABASE_URL])
    }
  })

  it('is rejected if the value is set, too', () => {
    expect(problemsOf({ DATABASE_URL, DATABASE_URL_FILE: file })).to.deep.equal([
      'DATABASE_URL and DATABASE_URL_FILE are both set: expected one of them',
    ])
  })

  it('is rejected with its path if the file cannot be read or is empty', () => {
    writeFileSync(file, '\n')
    const missing = join(folder, 'none')
    expect(problemsOf({ DATABASE_URL_FILE: missing, KEYS_DATABASE_URL_FILE: file })).to.deep.equal([
      `DATABASE_URL_FILE is "${missing}", which cannot be read (ENOENT): expected a file that holds DATABASE_URL`,
      `KEYS_DATABASE_URL_FILE is "${file}", which is empty: expected a file that holds KEYS_DATABASE_URL`,
    ])
  })

  it('is not shown if it is not a valid URL', () => {
    writeFileSync(file, 'hunter2')
    const problems = problemsOf({ DATABASE_URL_FILE: file })
    expect(problems[0]).to.match(/^DATABASE_URL_FILE holds 7 characters \(not shown\)/)
    expect(problems.join()).not.to.contain('hunter2')
  })
})
