// The words for a change that is not shown.

/** At the end of the words of such a change; a review reports it as a danger. */
export const NOT_SHOWN = 'changed in a way that is not shown';
