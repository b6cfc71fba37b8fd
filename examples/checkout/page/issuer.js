/** The page of the payer's bank, which the providers' scripts show for a challenge. Resolves to `approve` or `decline`. */
export function askPayer() {
  const dialog = document.querySelector('#issuer');
  dialog.returnValue = 'decline'; // also by the Escape key
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclick = ({ target }) => target.value && dialog.close(target.value);
    dialog.onclose = () => resolve(dialog.returnValue);
  });
}
