// Mocha's spec reporter, closed with one plain line that any CI can read: "N passed, N failed, N skipped".
const { reporters } = require('mocha')

class SpecWithClosingLine extends reporters.Spec {
  epilogue() {
    super.epilogue()
    const { passes, failures, pending } = this.stats
    console.log(`${passes} passed, ${failures} failed, ${pending} skipped`)
  }
}

module.exports = SpecWithClosingLine
