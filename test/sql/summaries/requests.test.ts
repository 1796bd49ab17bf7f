// The sentences that our reports of requests say, read as a person would read them.
import { expect } from 'chai'
import { MAY, said } from './said.ts'

describe('the sentence of', () => {
  it('requests_by_channel tells how soon customers were answered', () => {
    const fields = {
      received: '342',
      closed: '318',
      first_answer_median: '1.4',
      within_promise: '91.2',
    }
    expect(said('requests_by_channel', MAY, 4, fields)).to.equal(
      'За май 2026 года поступило 342 обращения, закрыто 318 обращений, медиана первого ответа — 1,4 часа, в обещанный срок — 91,2 %.',
    )
    const unanswered = { ...fields, first_answer_median: null, within_promise: null }
    expect(said('requests_by_channel', MAY, 4, unanswered)).to.equal(
      'За май 2026 года поступило 342 обращения, закрыто 318 обращений.',
    )
  })
})
