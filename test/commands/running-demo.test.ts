// The file through which other commands find the running demo of this checkout.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  borrowDemo,
  isBorrowed,
  writeConnections,
  runningDemo,
} from '../../src/demo/running-demo.ts'
import { borrowOnceStarted } from '../../src/demo/start-demo.ts'
import { needs, run } from '../clients/clients.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

const connections = { DATABASE_URL: 'postgres://svodka_reports:secret@127.0.0.1:5433/svodka' }

describe('the running demo', () => {
  const gone = spawnSync('true').pid
  let folder: string
  beforeEach(() => {
    folder = temporaryFolder()
  })

  it('writes its connections for its user only, and removes them', () => {
    const take = writeConnections(folder, connections)
    expect(runningDemo(folder, { lasting: true })).to.deep.equal(connections)
    expect(statSync(join(folder, 'connections.json')).mode & 0o777).to.equal(0o600)
    take()
    expect(runningDemo(folder)).to.equal(undefined)
    writeConnections(folder, connections, { isBrief: true })
    expect(runningDemo(folder), 'for a command').to.deep.equal(connections)
    expect(runningDemo(folder, { lasting: true }), 'to stay with').to.equal(undefined)
  })

  it('is opened by psql as README says', async function () {
    const psql = await needs(this, 'postgresql-client', ['psql'], ['--version'])
    const [, command = ''] = /^`psql ("[^`]*")`/m.exec(readFileSync('README.md', 'utf8')) ?? []
    const { urlFor } = await sharedCluster()
    mkdirSync(join(folder, '.demo/run'), { recursive: true })
    writeConnections(join(folder, '.demo/run'), {
      DATABASE_URL: urlFor('svodka_reports', 'replica'),
    })
    const query = 'select current_user, pg_is_in_recovery(), count(*) > 0 from operations'
    const { stdout, stderr } = await run('sh', ['-c', `${psql} ${command} -Atc '${query}'`], folder)
    expect(stdout.toString(), stderr).to.equal('svodka_reports|t|t\n')
  })

  it('is ignored if its process has ended or is another one, or if its file is broken', () => {
    for (const left of [
      JSON.stringify({ pid: gone, connections }),
      JSON.stringify({ pid: process.pid, since: 'before the last restart', connections }),
      '{"pid":',
    ]) {
      writeFileSync(join(folder, 'connections.json'), left)
      expect(runningDemo(folder), left).to.equal(undefined)
    }
  })

  it('is borrowed until the borrower releases it or ends', () => {
    expect(borrowDemo(folder)).to.equal(undefined)
    writeConnections(folder, connections)
    writeFileSync(join(folder, `borrower.${gone}`), '1')
    expect(isBorrowed(folder)).to.equal(false)
    const borrowed = borrowDemo(folder)
    expect(borrowed?.connections).to.deep.equal(connections)
    expect(isBorrowed(folder)).to.equal(true)
    borrowed?.giveBack()
    expect(isBorrowed(folder)).to.equal(false)
  })

  it('is awaited while it starts, until its process ends', async () => {
    const found = borrowOnceStarted(folder, process.pid, 10_000)
    writeConnections(folder, connections)
    expect((await found)?.connections).to.deep.equal(connections)
    expect(await borrowOnceStarted(temporaryFolder(), gone, 60_000)).to.equal(undefined)
  })
})
