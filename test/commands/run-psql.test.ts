// What `svodka run --psql` prints is run by a real psql, where there is one.
import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog } from '../sql/subject.ts'
import { sharedCluster } from '../support/cluster.ts'
import { command } from './in-process.ts'

const PSQL = ['-X', '-q', '-A', '-t', '-F', '¦', '-P', 'null=∅', '-v', 'ON_ERROR_STOP=1']

describe('svodka run --psql', function () {
  this.timeout(60_000)
  let settings: Record<string, string>
  before(async () => {
    const { urlFor } = await sharedCluster()
    settings = {
      DATABASE_URL: urlFor('svodka_reports', 'replica'),
      KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
    }
  })

  const script = (code: string) => {
    const period = ['--from', '2026-01-01', '--to', '2026-06-30']
    return command(['run', code, '--org', 'vladivostok', ...period, '--psql'], settings)
  }

  it('prints the SQL as it stands in the file, a variable for each placeholder of it, and no secret', async () => {
    const { stdout, stderr } = await script('stock_turnover')
    const { source } = ourCatalog().reports.get('stock_turnover')!
    expect(stdout).to.contain(source.text.slice(source.text.indexOf('---*/') + 5).trim())
    const used = new Set(source.text.match(/(?<!:):(?:organization|period|as_of|today|time)\w*/g))
    const set = stdout.match(/^\\set \w+/gm)?.map(line => line.replace('\\set ', ':'))
    expect(set).to.have.members([...used])
    const { password } = new URL(settings['DATABASE_URL'] ?? '')
    expect(password).to.match(/\w{8}/)
    expect(stdout + stderr).not.to.contain(password)
  })

  for (const code of ['profit_loss', 'operations', 'metrics/finance']) {
    it(`gives the rows of ${code} in psql`, async function () {
      if (spawnSync('psql', ['--version']).status !== 0) {
        process.stderr.write('    SKIPPED: there is no psql here; install postgresql-client\n')
        this.skip()
      }
      const { stdout: input } = await script(code)
      const psql = spawnSync('psql', [...PSQL, settings['DATABASE_URL']!], { input })
      expect(psql.stderr.toString()).to.equal('')
      const rows = psql.stdout.toString().trimEnd().split('\n')
      expect(rows).to.deep.equal(await asTheGatewayRuns(code))
    })
  }

  /** The statement as it was written, its values bound. */
  async function asTheGatewayRuns(code: string): Promise<string[]> {
    const { reports, metricsFiles } = ourCatalog()
    const definition = reports.get(code) ?? metricsFiles.get(code.replace('metrics/', ''))!
    const [, { id, timeZone }] = DEMO_ORGANIZATIONS
    const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
    const { statement } = definition.source
    const values = statement.values({
      organizationId: id,
      period: { start: '2026-01-01', end: '2026-07-01' },
      today,
      now: new Date().toISOString(),
      timeZone,
    })
    const client = await connectAsReports()
    try {
      const { rows } = await client.query<Array<string | null>>({
        text: statement.text('uuid'),
        values,
        rowMode: 'array',
        types: { getTypeParser: () => (value: string) => value },
      })
      return rows.map(row => row.map(field => field ?? '∅').join('¦'))
    } finally {
      await client.end()
    }
  }
})
