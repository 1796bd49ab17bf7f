import { expect } from 'chai'
import { Problem } from '../../src/errors.ts'
import {
  classify,
  classifyError,
  replicaProblem,
  unreached,
} from '../../src/replica/classify-error.ts'
import { WritableServerError } from '../../src/replica/writable-server.ts'

const withCode = (code: string) => Object.assign(new Error('from PostgreSQL'), { code })

describe('classifyError', () => {
  it('knows conflicts with recovery, shutdowns, full servers and lost credentials as unavailable', () => {
    const codes = [
      '40001',
      '40P01',
      '57P01',
      '57P02',
      '57P03',
      '57P04',
      '08006',
      '53300',
      '55P03',
      '28000',
      '3D000',
    ]
    for (const code of codes)
      expect(classifyError(withCode(code)).code, code).to.equal('replica_unavailable')
  })

  it('knows what the operating system says of a network', () => {
    for (const code of [
      'ECONNREFUSED',
      'ECONNRESET',
      'EPIPE',
      'ETIMEDOUT',
      'EHOSTUNREACH',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EMFILE',
      'EADDRNOTAVAIL',
    ]) {
      expect(classifyError(withCode(code)).code, code).to.equal('replica_unavailable')
    }
  })

  it("knows pg's transport errors, which carry no code", () => {
    const messages = [
      'Connection terminated unexpectedly',
      'Connection terminated',
      'Connection terminated due to connection timeout',
      'timeout expired',
      'timeout exceeded when trying to connect',
      'Client has encountered a connection error and is not queryable',
    ]
    for (const message of messages) {
      expect(classifyError(new Error(message)).code, message).to.equal('replica_unavailable')
    }
  })

  it('knows certificates that are not trusted, expired or of another host', () => {
    for (const code of [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'CERT_HAS_EXPIRED',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'ERR_SSL_TLSV1_ALERT_CERTIFICATE_EXPIRED',
    ]) {
      expect(classify(withCode(code)).remedy, code).to.equal('transport')
    }
  })

  it('knows whatever leaves it without a connection, and what is known of that better', () => {
    const unheard = unreached(new Error('SASL: server signature is missing'))
    expect(classify(unheard).remedy).to.equal('transport')
    expect(classify(replicaProblem('replica_unavailable', unheard)).remedy).to.equal('transport')
    const full = withCode('53300')
    expect(unreached(full)).to.equal(full)
  })

  it('knows a time-out and a spill over the limit', () => {
    expect(classifyError(withCode('57014')).code).to.equal('report_timeout')
    expect(classifyError(withCode('53400')).code).to.equal('result_too_large')
  })

  it('takes everything else for a fault of ours, and keeps the cause', () => {
    for (const code of ['42P01', '42501', '22012', '25006', '0A000', 'XX000']) {
      expect(classifyError(withCode(code)).code, code).to.equal('internal_error')
    }
    const cause = new TypeError('bug')
    expect(classifyError(cause)).to.include({ code: 'internal_error', cause })
  })

  it('leaves a problem as it is', () => {
    const problem = new Problem('bad_range', { ru: '', en: '' })
    expect(classifyError(problem)).to.equal(problem)
  })
})

describe('what is done about an error', () => {
  const remedies: Array<[string, string[]]> = [
    ['conflict', ['40001', '40P01', '72000']],
    [
      'transport',
      [
        '57P01',
        '57P02',
        '57P03',
        '57P04',
        '08006',
        '25P03',
        '28000',
        '3D000',
        '58030',
        'ECONNRESET',
      ],
    ],
    ['elsewhere', ['53300']],
    ['none', ['57014', '53400', '55P03', '42P01', '22012', '0A000', '25006']],
  ]
  for (const [remedy, codes] of remedies) {
    it(`is "${remedy}" for ${codes.join(', ')}`, () => {
      for (const code of codes) expect(classify(withCode(code)).remedy, code).to.equal(remedy)
    })
  }

  it("is a new connection for pg's errors without a code", () => {
    expect(classify(new Error('Connection terminated unexpectedly')).remedy).to.equal('transport')
  })

  it('is another server where this one takes writes', () => {
    expect(classify(new WritableServerError())).to.deep.include({ remedy: 'elsewhere' })
    expect(classify(new WritableServerError()).problem.code).to.equal('replica_unavailable')
  })

  it('is what the cause of an unavailable replica asks for, and nothing for other problems', () => {
    const gone = withCode('ECONNREFUSED')
    expect(classify(replicaProblem('replica_unavailable', gone)).remedy).to.equal('transport')
    expect(classify(replicaProblem('replica_unavailable', undefined)).remedy).to.equal('none')
    expect(classify(replicaProblem('report_timeout', gone)).remedy).to.equal('none')
    expect(classify(replicaProblem('overloaded', gone)).remedy).to.equal('none')
  })
})
