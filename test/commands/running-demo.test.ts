import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  borrowDemo,
  isBorrowed,
  leaveConnections,
  runningDemo,
} from '../../src/commands/running-demo.ts'
import { borrowOnceStarted } from '../../src/commands/start-demo.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('the demo that runs', () => {
  const connections = { DATABASE_URL: 'postgres://svodka_reports:secret@127.0.0.1:5433/svodka' }

  it('leaves its connections where others find them, and takes them away', () => {
    const folder = temporaryFolder()
    const take = leaveConnections(folder, connections)
    expect(runningDemo(folder)).to.deep.equal(connections)
    take()
    expect(runningDemo(folder)).to.equal(undefined)
  })

  it('shows them to its user alone', () => {
    const folder = temporaryFolder()
    leaveConnections(folder, connections)
    expect(statSync(join(folder, 'connections.json')).mode & 0o777).to.equal(0o600)
  })

  it('does not count once it has crashed', async () => {
    const folder = temporaryFolder()
    const gone = spawn('true')
    await once(gone, 'exit')
    writeFileSync(join(folder, 'connections.json'), JSON.stringify({ pid: gone.pid, connections }))
    expect(runningDemo(folder)).to.equal(undefined)
  })

  it('does not count where its process is another one by now', () => {
    const folder = temporaryFolder()
    const left = { pid: process.pid, since: 'before the last restart', connections }
    writeFileSync(join(folder, 'connections.json'), JSON.stringify(left))
    expect(runningDemo(folder)).to.equal(undefined)
  })

  it('is borrowed until it is given back, or until its borrower is gone', async () => {
    const folder = temporaryFolder()
    expect(borrowDemo(folder)).to.equal(undefined)
    leaveConnections(folder, connections)
    const gone = spawn('true')
    await once(gone, 'exit')
    writeFileSync(join(folder, `borrower.${gone.pid}`), '1')
    expect(isBorrowed(folder)).to.equal(false)
    const borrowed = borrowDemo(folder)
    expect(borrowed?.connections).to.deep.equal(connections)
    expect(isBorrowed(folder)).to.equal(true)
    borrowed?.giveBack()
    expect(isBorrowed(folder)).to.equal(false)
  })

  it('is none to stay with where it ends with a command', () => {
    const folder = temporaryFolder()
    leaveConnections(folder, connections, { isBrief: true })
    expect(runningDemo(folder, { lasting: true })).to.equal(undefined)
    expect(runningDemo(folder)).to.deep.equal(connections)
  })

  it('is waited for while it starts', async () => {
    const folder = temporaryFolder()
    const starting = spawn('sleep', ['60'])
    const found = borrowOnceStarted(folder, starting.pid, 10_000)
    leaveConnections(folder, connections)
    expect((await found)?.connections).to.deep.equal(connections)
    starting.kill()
  })

  it('is waited for no longer than its process lives', async () => {
    const gone = spawn('true')
    await once(gone, 'exit')
    expect(await borrowOnceStarted(temporaryFolder(), gone.pid, 60_000)).to.equal(undefined)
  })

  it('does not count where its file is broken', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'connections.json'), '{"pid":')
    expect(runningDemo(folder)).to.equal(undefined)
  })
})
