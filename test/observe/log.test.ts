import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { capture, request } from './observed.ts'

describe('log', () => {
  it('is JSON lines with the time, the level in words and the message', () => {
    const log = capture()
    log.log.info({ port: 1 }, 'hello')
    expect(log.texts[0]).to.equal(
      '{"level":"info","time":"2026-11-21T10:00:00.000Z","port":1,"msg":"hello"}\n',
    )
  })

  it('is readable on a terminal', () => {
    const log = capture({ pretty: true })
    log.observe({ kind: 'listening', server: 'api', host: '::1', port: 8080 })
    expect(log.texts.join(''))
      .to.match(/INFO.*the API on http:\/\/\[::1\]:8080/)
      .and.not.contain('{"level')
  })

  const LOG_MODULE = JSON.stringify(new URL('../../src/serve/observe/log.js', import.meta.url))

  /** A process whose log gets lines, then ends in this way. */
  const scriptOf = (end: string) => `
    import { createLog } from ${LOG_MODULE}
    const log = createLog({ level: 'info', pretty: false, now: Date.now, wall: Date.now })
    for (let count = 0; count < 2000; count++) log.log.info('x'.repeat(1000))
    ${end}`

  it('lets the process end even if its lines are not read', async () => {
    const script = scriptOf('log.close(); process.exit(0)')
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 15_000,
      killSignal: 'SIGKILL',
    })
    child.stdout.destroy()
    expect(await once(child, 'exit')).to.deep.equal([0, null])
  })

  for (const [end, code] of [
    ["throw new Error('a crash')", 1],
    ['process.exit(0)', 0],
    ['log.close(); process.exit(0)', 0],
  ] as const) {
    it(`loses no line if the reader lags at \`${end}\``, async () => {
      const command = '{ "$0" --input-type=module --eval "$1" 2>/dev/null; echo $? >&2; }'
      const { stdout, stderr } = await promisify(execFile)(
        'sh',
        ['-c', `${command} | { sleep 0.2; cat; }`, process.execPath, scriptOf(end)],
        { timeout: 20_000, maxBuffer: 10_000_000 },
      )
      expect(stdout.match(/x{1000}"}\n/g)).to.have.lengthOf(2000)
      expect(Number(stderr)).to.equal(code)
    })
  }

  it('drops and counts lines if its reader stalls, without waiting, and continues in order', async () => {
    const script = `
      import { createLog } from ${LOG_MODULE}
      let drops = 0
      const onDrop = () => (drops += 1)
      const log = createLog({ level: 'info', pretty: false, now: Date.now, wall: Date.now, onDrop })
      const startedAt = performance.now()
      for (let number = 0; number < 6000; number++) log.log.info({ number }, 'x'.repeat(1000))
      process.send({ drops, ms: performance.now() - startedAt })
      process.once('message', () => { log.close(); process.exit(0) })`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      timeout: 20_000,
      killSignal: 'SIGKILL',
    })
    const [{ drops, ms }] = (await once(child, 'message')) as [{ drops: number; ms: number }]
    // why: 4 MiB are buffered, in addition to the pipe
    expect(drops).to.be.within(1500, 2300)
    expect(ms).to.be.below(3000)
    let text = ''
    child.stdout!.on('data', part => (text += String(part)))
    child.send('end')
    expect(await once(child, 'close')).to.deep.equal([0, null])
    const lines = text.trimEnd().split('\n')
    const numbers = lines.map(line => (JSON.parse(line) as { readonly number: number }).number)
    expect(numbers).to.deep.equal(Array.from({ length: 6000 - drops }, (_, number) => number))
  })

  it('writes nothing at level silent', () => {
    const log = capture({ level: 'silent' })
    log.observe(request({ status: 500, cause: new Error('x') }))
    log.observe({ kind: 'process-error', error: new Error('x') })
    expect(log.texts).to.deep.equal([])
  })
})
