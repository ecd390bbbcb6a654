/** The ways in which a form can name its file: plainly, in RFC 5987's form, in pieces, and as in mail. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Context } from '../../operations/context.ts'
import { send, startHttp, type TestHttp } from '../test-service.ts'
import { Delimiters } from './delimiters.ts'

let http: TestHttp
before(async () => {
  const addDocument = async (_request: unknown, { body }: Context) =>
    body.kind === 'file' ? { fileName: body.file.fileName } : {}
  http = await startHttp({ 'add-document': addDocument })
})
after(() => http[Symbol.asyncDispose]())

function form(parameters: string): Buffer {
  const head = `--x\r\nContent-Disposition: form-data; name="file"${parameters}\r\nContent-Type: application/pdf`
  const reference = '--x\r\nContent-Disposition: form-data; name="reference"\r\n\r\nUTIL\r\n'
  return Buffer.from(`${reference}${head}\r\n\r\n%PDF\r\n--x--\r\n`)
}

function sendNamed(parameters: string) {
  return send(`${http.base}/account-api/v1/add-document`, {
    method: 'POST',
    body: new Uint8Array(form(parameters)),
    headers: { authorization: 'Bearer good', 'content-type': 'multipart/form-data; boundary=x' },
  })
}

const accepted: Readonly<Record<string, string>> = {
  '; filename="résumé.pdf"': 'résumé.pdf',
  "; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf": 'résumé.pdf',
  '; filename="1=a.pdf"': '1=a.pdf',
  '; filename="a; filename*0=b.pdf"': 'a; filename*0=b.pdf',
  '; filename="=?.pdf"': '=?.pdf',
}
for (const [parameters, name] of Object.entries(accepted)) {
  test(`a file named by ${parameters} keeps its name`, async () => {
    const answer = await sendNamed(parameters)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json.data.fileName, name)
  })
}

const refused = [
  "; filename*0*=UTF-8''Konto%C3%B6ffnung%20; filename*1*=%C3%A9%202026.pdf",
  "; filename*0*=UTF-8''r%C3%A9sum%C3%A9.pdf",
  '; filename*0="long "; filename*1="name.pdf"',
  '; filename="a.pdf"; FileName*0=b.pdf',
  '; filename="=?UTF-8?Q?r=C3=A9sum=C3=A9.pdf?="',
  '; filename="=?utf-8?B?csOpc3Vtw6k=?=.pdf"',
]
for (const parameters of refused) {
  test(`a file named by ${parameters} is refused`, async () => {
    const answer = await sendNamed(parameters)
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(
      answer.json.errors.map(({ code, field, reason }: Record<string, string>) => [code, field, reason]),
      [['ERR.1016', 'file', "Send the file's name as UTF-8 in filename, or in filename*."]],
    )
  })
}

test('a name in pieces is found in whatever pieces the form arrives', () => {
  const bytes = form('; filename*0=a; filename*1=b.pdf')
  for (const size of [1, 2, 7, bytes.length]) {
    const delimiters = new Delimiters('x')
    for (let at = 0; at < bytes.length; at += size) delimiters.add(bytes.subarray(at, at + size))
    assert.deepEqual([delimiters.namesFileInPieces, delimiters.count], [true, 3])
  }
})
