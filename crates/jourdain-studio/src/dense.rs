//! Bytes as text that a page has inside: thirteen bits in two letters, where base 64 has twelve.
//!
//! The letters are those of ASCII that can be seen, with the space and without the four that mean something in scripts and elements.
//! A last letter that is alone has six bits, so that the text has as many bytes as were put in.

/// Letters that the text does not have.
const LEFT_OUT: [u8; 4] = *b"\"&<\\";
/// How many letters there are.
const BASE: u32 = 91;
/// Bits in two letters.
const BITS: u32 = 13;
/// Bits in a last letter that is alone.
const LAST: u32 = 6;

fn letters() -> impl Iterator<Item = u8> {
    (b' '..=b'~').filter(|letter| !LEFT_OUT.contains(letter))
}

/// The bytes as text.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let letters: Vec<char> = letters().map(char::from).collect();
    let mut text = String::with_capacity(bytes.len() * 16 / 13 + 2);
    let (mut held, mut count) = (0_u32, 0);
    for byte in bytes {
        held |= u32::from(*byte) << count;
        count += 8;
        if count >= BITS {
            let word = held & ((1 << BITS) - 1);
            text.extend([word % BASE, word / BASE].map(|place| letters[place as usize]));
            held >>= BITS;
            count -= BITS;
        }
    }
    if count > 0 {
        text.push(letters[(held % BASE) as usize]);
    }
    if count > LAST {
        text.push(letters[(held / BASE) as usize]);
    }
    text
}

/// The function of a page that gives the bytes back.
pub(crate) const DECODE: &str = r#"
  const dense = (text) => {
    const places = new Map();
    for (let code = 32, place = 0; code < 127; code++) if (!"\"&<\\".includes(String.fromCharCode(code))) places.set(code, place++);
    const alone = text.length % 2;
    const bytes = new Uint8Array(Math.floor((((text.length - alone) / 2) * 13 + 6 * alone) / 8));
    let held = 0, count = 0, length = 0;
    for (let i = 0; i < text.length; i += 2) {
      const second = i + 1 < text.length;
      held |= (places.get(text.charCodeAt(i)) + (second ? 91 * places.get(text.charCodeAt(i + 1)) : 0)) << count;
      for (count += second ? 13 : 6; count >= 8; count -= 8) {
        bytes[length++] = held;
        held >>>= 8;
      }
    }
    return bytes;
  };
"#;

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &str) -> Vec<u8> {
        let places: Vec<u8> = letters().collect();
        let place = |letter: u8| places.iter().position(|known| *known == letter).unwrap() as u32;
        let (mut held, mut count, mut bytes) = (0_u32, 0, Vec::new());
        for pair in text.as_bytes().chunks(2) {
            held |= (place(pair[0]) + BASE * pair.get(1).map_or(0, |letter| place(*letter))) << count;
            count += if pair.len() == 2 { BITS } else { LAST };
            while count >= 8 {
                bytes.push(held as u8);
                held >>= 8;
                count -= 8;
            }
        }
        bytes
    }

    #[test]
    fn there_are_as_many_letters_as_two_of_them_need_for_thirteen_bits() {
        assert_eq!(letters().count() as u32, BASE);
        const { assert!(BASE * BASE >= 1 << BITS) };
    }

    #[test]
    fn bytes_of_all_lengths_come_back() {
        let bytes: Vec<u8> = (0..1000_u32).map(|i| (i * i + 7 * i / 3) as u8).collect();
        for length in (0..40).chain([999, 1000]) {
            let text = encode(&bytes[..length]);
            assert!(text.len() <= length * 16 / 13 + 2);
            assert!(!text.contains(['"', '&', '<', '\\']));
            assert_eq!(decode(&text), &bytes[..length], "{length}");
        }
    }
}
