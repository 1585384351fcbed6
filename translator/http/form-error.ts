// What is wrong with a form.

/** A form that cannot be read; the message is that of Go's multipart reader. */
export class FormError extends Error {
  override readonly name = 'FormError';
}
