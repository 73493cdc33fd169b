//! The records of an MCAP file, one after the other, out of chunks that may be compressed.
//!
//! A record is an opcode, a length and its content. Schemas, channels and messages stand in the file or in chunks; what else there is,
//! indices above all, is passed over. Lengths come from the file and are never believed beyond what can be read.

use super::MAGIC;
use std::io::{self, Read};

/// The largest record, bytes; also that of a chunk when it is no longer compressed.
const LARGEST: u64 = 1 << 30;

mod opcode {
    pub const FOOTER: u8 = 0x02;
    pub const SCHEMA: u8 = 0x03;
    pub const CHANNEL: u8 = 0x04;
    pub const MESSAGE: u8 = 0x05;
    pub const CHUNK: u8 = 0x06;
}

/// A record that says something of messages.
#[derive(Debug, PartialEq)]
pub(super) enum Record<'a> {
    Schema { id: u16, name: String },
    Channel { id: u16, schema: u16, topic: String, encoding: String },
    Message { channel: u16, log_time: u64, data: &'a [u8] },
}

/// A file of records.
pub(super) struct Records<R> {
    source: R,
    /// Bytes of the file that were read.
    position: u64,
    /// The records of the current chunk, or a record that stands outside of chunks; and how much of it was read.
    chunk: Vec<u8>,
    at: usize,
    buffer: Vec<u8>,
    ended: bool,
}

impl<R: Read> Records<R> {
    /// Reads the beginning of a file.
    pub fn new(source: R) -> Result<Self, String> {
        let mut records = Self { source, position: 0, chunk: Vec::new(), at: 0, buffer: Vec::new(), ended: false };
        let mut magic = [0; MAGIC.len()];
        records.fill(&mut magic)?;
        if magic != *MAGIC {
            return Err("it does not begin as an MCAP file".to_owned());
        }
        Ok(records)
    }

    /// The next record; `None` at the end.
    pub fn next(&mut self) -> Result<Option<Record<'_>>, String> {
        loop {
            if self.at == self.chunk.len() && !self.next_chunk()? {
                return Ok(None);
            }
            let position = self.position;
            let broken = |what: &str| format!("the record before byte {position} {what}");
            let head = self.chunk[self.at..].split_first_chunk::<9>();
            let (head, rest) = head.ok_or_else(|| broken("ends within its heading"))?;
            let length = u64::from_le_bytes(head[1..].try_into().unwrap_or_default());
            let length = usize::try_from(length).ok().filter(|length| *length <= rest.len());
            let length = length.ok_or_else(|| broken("is longer than its chunk"))?;
            let begin = self.at + 9;
            self.at = begin + length;
            let opcode = head[0];
            if !matches!(opcode, opcode::SCHEMA | opcode::CHANNEL | opcode::MESSAGE) {
                continue;
            }
            return read(opcode, &self.chunk[begin..begin + length]).map(Some).ok_or_else(|| broken("ends too early"));
        }
    }

    /// Goes to the next chunk or record outside of chunks; false at the end.
    fn next_chunk(&mut self) -> Result<bool, String> {
        while !self.ended {
            let mut head = [0; 9];
            self.fill(&mut head)?;
            let length = u64::from_le_bytes(head[1..].try_into().unwrap_or_default());
            match head[0] {
                opcode::SCHEMA | opcode::CHANNEL | opcode::MESSAGE => {
                    let mut record = std::mem::take(&mut self.chunk);
                    record.clear();
                    record.extend(head);
                    self.append(length, &mut record)?;
                    (self.chunk, self.at) = (record, 0);
                    return Ok(true);
                }
                opcode::CHUNK => {
                    let mut content = std::mem::take(&mut self.buffer);
                    content.clear();
                    self.append(length, &mut content)?;
                    self.chunk.clear();
                    self.at = 0;
                    let position = self.position;
                    unpack(&content, &mut self.chunk)
                        .map_err(|what| format!("the chunk before byte {position} {what}"))?;
                    self.buffer = content;
                    if !self.chunk.is_empty() {
                        return Ok(true);
                    }
                }
                opcode::FOOTER => {
                    // The rest is read as well: whoever hashes the file sees all of it.
                    io::copy(&mut self.source, &mut io::sink()).map_err(|error| error.to_string())?;
                    self.ended = true;
                }
                _ => {
                    let passed = io::copy(&mut self.source.by_ref().take(length), &mut io::sink());
                    let passed = passed.map_err(|error| error.to_string())?;
                    self.position += passed;
                    if passed < length {
                        return Err(self.too_short());
                    }
                }
            }
        }
        Ok(false)
    }

    fn fill(&mut self, to: &mut [u8]) -> Result<(), String> {
        match self.source.read_exact(to) {
            Ok(()) => {
                self.position += to.len() as u64;
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(self.too_short()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Appends so many bytes.
    fn append(&mut self, length: u64, to: &mut Vec<u8>) -> Result<(), String> {
        if length > LARGEST {
            return Err(format!("the record at byte {} has {length} bytes, which is too long", self.position));
        }
        let read = self.source.by_ref().take(length).read_to_end(to).map_err(|error| error.to_string())? as u64;
        self.position += read;
        if read < length { Err(self.too_short()) } else { Ok(()) }
    }

    fn too_short(&self) -> String {
        format!("it ends within a record, after byte {}: it is not complete", self.position)
    }
}

/// A record out of its content; `None` if it is too short.
fn read(opcode: u8, content: &[u8]) -> Option<Record<'_>> {
    let mut rest = Rest(content);
    Some(match opcode {
        opcode::SCHEMA => Record::Schema { id: rest.u16()?, name: rest.text()? },
        opcode::CHANNEL => {
            Record::Channel { id: rest.u16()?, schema: rest.u16()?, topic: rest.text()?, encoding: rest.text()? }
        }
        _ => {
            let (channel, _sequence, log_time, _publish_time) = (rest.u16()?, rest.u32()?, rest.u64()?, rest.u64()?);
            Record::Message { channel, log_time, data: rest.0 }
        }
    })
}

/// The records of a chunk.
fn unpack(content: &[u8], to: &mut Vec<u8>) -> Result<(), String> {
    let short = || "ends too early".to_owned();
    let mut rest = Rest(content);
    let (_start, _end) = (rest.u64().ok_or_else(short)?, rest.u64().ok_or_else(short)?);
    let (size, checksum) = (rest.u64().ok_or_else(short)?, rest.u32().ok_or_else(short)?);
    let compression = rest.text().ok_or_else(short)?;
    let length = rest.u64().ok_or_else(short)?;
    let packed = usize::try_from(length).ok().and_then(|length| rest.take(length)).ok_or_else(short)?;
    let read = |source: &mut dyn Read, to: &mut Vec<u8>| source.take(LARGEST + 1).read_to_end(to).map(drop);
    let unpacked = match compression.as_str() {
        "" => {
            to.extend_from_slice(packed);
            Ok(())
        }
        "zstd" => zstd::stream::read::Decoder::new(packed).and_then(|mut source| read(&mut source, to)),
        "lz4" => read(&mut lz4_flex::frame::FrameDecoder::new(packed), to),
        other => return Err(format!("is compressed by `{other}`, which is none of zstd and lz4")),
    };
    unpacked.map_err(|error| format!("cannot be unpacked: {error}"))?;
    if to.len() as u64 != size {
        return Err(format!("has {} bytes instead of {size}", to.len()));
    }
    if checksum != 0 && crc32fast::hash(to) != checksum {
        return Err("is damaged: its checksum is another".to_owned());
    }
    Ok(())
}

/// What is yet to be read of a record.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.u32()? as usize;
        Some(String::from_utf8_lossy(self.take(length)?).into_owned())
    }
}
