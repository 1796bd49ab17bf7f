import { expect } from 'chai'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { demoProcess } from './demo-process.ts'

describe('a demo that fails to start', function () {
  this.timeout(60_000)
  const directory = `${temporaryFolder()}/run`

  it('aborts its start on a signal', async () => {
    const demo = demoProcess(directory)
    await demo.says('Starting a PostgreSQL')
    demo.signal('SIGTERM')
    expect(await demo.exit).to.equal(0)
    expect(demo.output()).not.to.include('stand-in')
  })

  it("stops with the gateway's code if the gateway ends", async () => {
    const demo = demoProcess(directory, { STAND_IN: 'failing' })
    expect(await demo.exit).to.equal(7)
    expect(demo.output()).to.match(/ended with code 7[^]*Stopped\n$/)
  })
})
